package dev.mailroom.dmarcreport;

import java.time.Instant;

/**
 * A mail to an address for reports that could not be read.
 *
 * @param domain name of the domain of the address; empty if it is gone
 * @param sender domain in From; may be empty
 * @param detail what was found, without content of the mail
 */
public record UnreadReport(String domain, String sender, String reason, String detail, int bytes, Instant receivedAt) {
}

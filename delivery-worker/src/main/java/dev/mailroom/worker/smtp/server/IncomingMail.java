package dev.mailroom.worker.smtp.server;

import java.net.InetAddress;

/**
 * A mail as received.
 *
 * @param client address of the sending server
 * @param helo name given by the sending server
 * @param sender return path; empty for a notification (RFC 5321 section 4.5.5)
 * @param raw header and body, each line terminated by CRLF
 */
public record IncomingMail(InetAddress client, String helo, String sender, byte[] raw) {
}

package dev.mailroom.standalone.mailbox;

import java.util.List;

/**
 * A mail as it came in over SMTP.
 *
 * @param mailFrom the address that bounces go to; empty where none should
 * @param rcptTo the addresses it is for
 * @param content the message, as it was before the transfer's dots
 */
record SmtpMail(String mailFrom, List<String> rcptTo, byte[] content) {

}

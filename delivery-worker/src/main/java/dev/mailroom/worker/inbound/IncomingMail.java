package dev.mailroom.worker.inbound;

import java.net.InetAddress;

/**
 * A mail as it came over the wire.
 *
 * @param client who sent it
 * @param helo under which name
 * @param sender of its envelope; empty for a notification (RFC 5321 4.5.5)
 * @param raw header and body, every line ended by CRLF
 */
record IncomingMail(InetAddress client, String helo, String sender, byte[] raw) {
}

package dev.mailroom.mail.outcome;

import java.time.Duration;
import java.time.Instant;

/**
 * Record of one attempt to hand over a mail, for support.
 *
 * @param transport name of the transport
 * @param host name of the server; empty if no connection was made
 * @param tls version and cipher; empty if the session was not encrypted
 * @param conversation the SMTP dialogue, one line each, preceded by the milliseconds
 * since the attempt began
 */
public record Attempt(Instant began, Duration took, String transport, String host, String address, String tls,
		String conversation) {
}

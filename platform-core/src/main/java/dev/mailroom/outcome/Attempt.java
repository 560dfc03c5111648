package dev.mailroom.outcome;

import java.time.Duration;
import java.time.Instant;

/**
 * One try at handing a mail over, as support needs to see it.
 *
 * @param transport the way it went by
 * @param host the server that was spoken to; empty where none answered
 * @param tls version and cipher; empty where the session was in the clear
 * @param conversation what both sides said, line by line, each with the milliseconds
 * since the beginning
 */
public record Attempt(Instant began, Duration took, String transport, String host, String address, String tls,
		String conversation) {
}

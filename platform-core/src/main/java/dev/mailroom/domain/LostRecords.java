package dev.mailroom.domain;

import java.time.Instant;
import java.util.UUID;

/**
 * A domain that lost its records.
 *
 * @param notice notice to send: {@code grace} while the domain still sends,
 * {@code failed} afterwards
 * @param since time at which the records were first missing
 * @param until end of the grace period
 * @param lost expected and found values, one line per record
 */
public record LostRecords(UUID id, UUID accountId, String name, String notice, Instant since, Instant until,
		String lost) {
}

package dev.mailroom.domain;

import java.time.Instant;
import java.util.UUID;

/**
 * A domain that lost its records.
 *
 * @param notice what is to be told: grace where it still sends, failed where it does not
 * @param owner the address of the account's owner
 * @param since when they were first missed
 * @param until when the grace ends, or ended
 * @param lost what was expected and what was found, a line each
 */
public record LostRecords(UUID id, UUID accountId, String name, String notice, String owner, Instant since,
		Instant until, String lost) {
}

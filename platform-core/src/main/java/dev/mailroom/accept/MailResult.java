package dev.mailroom.accept;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Refused;

/** What became of one mail of a request. */
public sealed interface MailResult {

	/**
	 * Accepted: it is in the queue and stays there whatever dies.
	 *
	 * @param from as the From header has it
	 */
	record Taken(UUID id, String from, List<String> to, Instant createdAt) implements MailResult {
	}

	/** Not accepted: nothing of it was kept and it counts nothing. */
	record Turned(Refused refused) implements MailResult {
	}

}

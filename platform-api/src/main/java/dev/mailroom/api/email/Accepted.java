package dev.mailroom.api.email;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.mailroom.accept.MailResult;

/** The answer to POST /emails: a bare object. */
record Accepted(UUID id, String from, List<String> to, Instant createdAt) {

	static Accepted of(MailResult.Taken taken) {
		return new Accepted(taken.id(), taken.from(), taken.to(), taken.createdAt());
	}

}

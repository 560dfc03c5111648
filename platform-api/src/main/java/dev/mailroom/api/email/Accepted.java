package dev.mailroom.api.email;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.mailroom.email.Verdict;

/** The answer to POST /emails: a bare object. */
record Accepted(UUID id, String from, List<String> to, Instant createdAt) {

	static Accepted of(Verdict.Taken taken) {
		return new Accepted(taken.id(), taken.from(), taken.to(), taken.createdAt());
	}

}

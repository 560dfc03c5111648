package dev.mailroom.email;

import java.time.Instant;
import java.util.List;

import dev.mailroom.Scope;

/** Drafts for tests. */
final class Drafts {

	private Drafts() {
	}

	static Submission submission(String from, String... to) {
		return new Submission(from, List.of(to), null, null, null, "Hello", null, "Hi", null, null, null, null, null,
				null);
	}

	static Draft from(Scope scope, String... to) {
		return Drafting.draft(submission("a@" + scope.domain() + ".test", to), Instant.EPOCH);
	}

}

package dev.mailroom.accept;

import java.time.Instant;
import java.util.List;

import dev.mailroom.Scope;
import dev.mailroom.submission.Drafting;
import dev.mailroom.submission.Submission;

/** Drafts for tests. */
public final class Drafts {

	private Drafts() {
	}

	public static Submission submission(String from, String... to) {
		return new Submission(from, List.of(to), null, null, null, "Hello", null, "Hi", null, null, null, null, null,
				null);
	}

	public static Draft from(Scope scope, String... to) {
		return Drafting.draft(submission("a@" + scope.domain() + ".test", to), Instant.EPOCH);
	}

}

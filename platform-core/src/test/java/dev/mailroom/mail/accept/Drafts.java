package dev.mailroom.mail.accept;

import java.time.Instant;
import java.util.List;

import dev.mailroom.Scope;
import dev.mailroom.mail.draft.Draft;
import dev.mailroom.mail.draft.Drafting;
import dev.mailroom.mail.draft.MailContent;
import dev.mailroom.mail.draft.Submission;

/** Drafts for tests. */
public final class Drafts {

	private Drafts() {
	}

	public static Submission submission(String from, String... to) {
		return Submission.of(from, List.of(to), MailContent.of("Hello", null, "Hi"));
	}

	/** A mail from the scope's domain. */
	public static Draft from(Scope scope, String... to) {
		return Drafting.draft(submission("a@" + scope.domain() + ".test", to), Instant.EPOCH);
	}

	/** A scheduled mail from the scope's domain. */
	public static Draft scheduled(Scope scope, Instant sendAt) {
		Draft draft = from(scope, "b@c.test");
		return new Draft(draft.from(), draft.to(), draft.cc(), draft.bcc(), draft.replyTo(), draft.content(), sendAt,
				null);
	}

}

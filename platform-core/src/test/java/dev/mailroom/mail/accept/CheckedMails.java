package dev.mailroom.mail.accept;

import java.time.Instant;
import java.util.List;

import dev.mailroom.Scope;
import dev.mailroom.mail.draft.CheckedMail;
import dev.mailroom.mail.draft.MailRules;
import dev.mailroom.mail.draft.MailContent;
import dev.mailroom.mail.draft.Submission;

/** CheckedMails for tests. */
public final class CheckedMails {

	private CheckedMails() {
	}

	public static Submission submission(String from, String... to) {
		return Submission.of(from, List.of(to), MailContent.of("Hello", null, "Hi"));
	}

	/** A mail from the scope's domain. */
	public static CheckedMail from(Scope scope, String... to) {
		return MailRules.check(submission("a@" + scope.domain() + ".test", to), Instant.EPOCH);
	}

	/** A scheduled mail from the scope's domain. */
	public static CheckedMail scheduled(Scope scope, Instant sendAt) {
		CheckedMail checked = from(scope, "b@c.test");
		return new CheckedMail(checked.from(), checked.to(), checked.cc(), checked.bcc(), checked.replyTo(),
				checked.content(), sendAt, null, null);
	}

}

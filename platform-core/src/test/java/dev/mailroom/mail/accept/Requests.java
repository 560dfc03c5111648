package dev.mailroom.mail.accept;

import java.util.List;
import java.util.stream.IntStream;

import dev.mailroom.Scope;
import dev.mailroom.mail.accept.MailAccepted.Channel;
import dev.mailroom.mail.draft.Draft;

/** Requests to send for tests. */
final class Requests {

	private Requests() {
	}

	static SendRequest single(Scope scope) {
		return SendRequest.of(scope, Drafts.from(scope, "b@c.test"));
	}

	static SendRequest keyed(Scope scope, String key) {
		return keyed(scope, key, Drafts.from(scope, "b@c.test"));
	}

	static SendRequest keyed(Scope scope, String key, Draft draft) {
		Claim claim = new Claim(scope.account(), "POST /emails", key, "hash");
		return new SendRequest(scope, List.of(new CheckedMail.Valid(draft)), Channel.API, claim);
	}

	static SendRequest batch(Scope scope, int size) {
		List<CheckedMail> mails = IntStream.range(0, size)
			.<CheckedMail>mapToObj((i) -> new CheckedMail.Valid(Drafts.from(scope, i + "@c.test")))
			.toList();
		return new SendRequest(scope, mails, Channel.BATCH, null);
	}

}

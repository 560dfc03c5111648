package dev.mailroom.mail.accept;

import java.util.List;
import java.util.stream.IntStream;

import dev.mailroom.Scope;
import dev.mailroom.mail.accept.MailAccepted.Channel;
import dev.mailroom.mail.draft.CheckedMail;

/** Requests to send for tests. */
final class Requests {

	private Requests() {
	}

	static SendRequest single(Scope scope) {
		return SendRequest.of(scope, CheckedMails.from(scope, "b@c.test"));
	}

	static SendRequest keyed(Scope scope, String key) {
		return keyed(scope, key, CheckedMails.from(scope, "b@c.test"));
	}

	static SendRequest keyed(Scope scope, String key, CheckedMail checked) {
		Claim claim = new Claim(scope.account(), "POST /emails", key, "hash");
		return new SendRequest(scope, List.of(new MailCheck.Valid(checked)), Channel.API, claim);
	}

	static SendRequest batch(Scope scope, int size) {
		List<MailCheck> mails = IntStream.range(0, size)
			.<MailCheck>mapToObj((i) -> new MailCheck.Valid(CheckedMails.from(scope, i + "@c.test")))
			.toList();
		return new SendRequest(scope, mails, Channel.BATCH, null);
	}

}

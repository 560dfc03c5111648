package dev.mailroom.submission;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.accept.EmailRefusals;
import dev.mailroom.accept.SendResult;
import dev.mailroom.idempotency.Claim;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Sends a mail that shows a template or a campaign. It is real mail and counts against
 * the quota.
 */
@Service
public class TestSends {

	private static final Refusal INVALID = Refusal.invalid("Invalid request data");

	private final Senders senders;

	private final Submissions submissions;

	TestSends(Senders senders, Submissions submissions) {
		this.senders = senders;
		this.submissions = submissions;
	}

	/**
	 * Sends a mail from one of the account's domains.
	 * @param mail without a sender if any of the account's domains will do
	 * @param claim the request's Idempotency-Key; null if it has none
	 * @throws Refused an error of {@link Senders#choose}, or one of {@code POST /emails}
	 * with {@code Invalid request data} in place of {@code Validation error}
	 */
	public Mono<SendResult> send(Scope person, Submission mail, @Nullable Claim claim) {
		return this.senders.choose(person, mail.from())
			.flatMap((sender) -> this.submissions.send(sender.scope(), mail.withFrom(sender.from()), claim))
			.onErrorMap(Refused.class, TestSends::refused);
	}

	private static Refused refused(Refused refused) {
		return refused.refusal().equals(EmailRefusals.INVALID) ? INVALID.because(refused.message(), refused.details())
				: refused;
	}

}

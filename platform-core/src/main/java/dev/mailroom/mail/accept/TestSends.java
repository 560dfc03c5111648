package dev.mailroom.mail.accept;

import java.util.List;
import java.util.stream.Stream;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.mail.accept.MailAccepted.Channel;
import dev.mailroom.mail.draft.EmailRefusals;
import dev.mailroom.mail.draft.Mailbox;
import dev.mailroom.mail.draft.Submission;
import dev.mailroom.mail.draft.UncheckedMail;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Sends mail of a person who signed in: single mails, batches, and mails that show a
 * template or a campaign. It is real mail and counts against the quota.
 */
@Service
public class TestSends {

	private static final int MAX_MAILS = 100;

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
			.flatMap(
					(sender) -> this.submissions.send(Channel.API, sender.scope(), mail.withFrom(sender.from()), claim))
			.onErrorMap(Refused.class, TestSends::refused);
	}

	/**
	 * Sends a batch from one of the account's domains: that of the first sender that is
	 * given. Each mail is accepted or refused independently; one without a sender has the
	 * default one of the domain.
	 * @param mails 1 to 100
	 * @param claim the request's Idempotency-Key; null if it has none
	 * @throws Refused {@code Invalid request data}, or an error that concerns the whole
	 * batch
	 */
	public Mono<SendResult> sendBatch(Scope person, List<UncheckedMail> mails, @Nullable Claim claim) {
		if (mails.isEmpty() || mails.size() > MAX_MAILS) {
			return Mono.error(Refusal.INVALID_REQUEST.because("A batch has 1 to " + MAX_MAILS + " emails",
					List.of(new Refusal.Detail("emails", "must have 1 to " + MAX_MAILS + " elements"))));
		}
		return this.senders.preferring(person, mails.stream().flatMap(TestSends::sender).findFirst().orElse(""))
			.flatMap((sender) -> this.submissions.sendBatch(sender.scope(),
					mails.stream().map((mail) -> from(mail, sender)).toList(), claim, false))
			.onErrorMap(Refused.class, TestSends::refused);
	}

	/** The domain of the sender of a mail, if a valid one is given. */
	private static Stream<String> sender(UncheckedMail mail) {
		return switch (mail) {
			case Submission submission -> Stream.ofNullable(submission.from())
				.flatMap((from) -> Mailbox.parse(from).stream())
				.map((mailbox) -> mailbox.address().domain());
			case UncheckedMail.Unreadable _ -> Stream.empty();
		};
	}

	private static UncheckedMail from(UncheckedMail mail, Senders.Sender sender) {
		return (mail instanceof Submission submission && submission.from() == null) ? submission.withFrom(sender.from())
				: mail;
	}

	private static Refused refused(Refused refused) {
		return refused.refusal().equals(EmailRefusals.INVALID)
				? Refusal.INVALID_REQUEST.because(refused.message(), refused.details()) : refused;
	}

}

package dev.mailroom.mail.accept;

import java.util.List;
import java.util.UUID;

import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.mail.draft.CheckedMail;
import org.jspecify.annotations.Nullable;

/**
 * A request to send: one mail, or a batch.
 *
 * @param scope the account, and the domain that it sends from
 * @param channel the way by which it arrived
 * @param claim the request's Idempotency-Key; null if it has none
 * @param whole whether the refusal of one mail refuses the request; otherwise each mail
 * is accepted or refused independently
 */
public record SendRequest(Scope scope, List<MailCheck> mails, MailAccepted.Channel channel, @Nullable Claim claim,
		boolean whole) {

	private static final long REFUSED_MAIL_BYTES = 64;

	public SendRequest(Scope scope, List<MailCheck> mails, MailAccepted.Channel channel, @Nullable Claim claim) {
		this(scope, mails, channel, claim, channel != MailAccepted.Channel.BATCH);
	}

	/** One mail without an Idempotency-Key. */
	public static SendRequest of(Scope scope, CheckedMail checked) {
		return new SendRequest(scope, List.of(new MailCheck.Valid(checked)), MailAccepted.Channel.API, null);
	}

	SendRequest with(List<MailCheck> mails) {
		return new SendRequest(this.scope, mails, this.channel, this.claim, this.whole);
	}

	/**
	 * The refusal of the request for one of its mails, which a batch names; null if there
	 * is none.
	 * @param checked its mails after a check
	 */
	@Nullable Refused refusal(List<MailCheck> checked) {
		for (int i = 0; this.whole && i < checked.size(); i++) {
			if (checked.get(i) instanceof MailCheck.Invalid(var reason)) {
				return (checked.size() == 1) ? reason : reason.refusal()
					.because("Mail " + (i + 1) + " of " + checked.size() + ": " + reason.message(), reason.details());
			}
		}
		return null;
	}

	UUID accountId() {
		return this.scope.account();
	}

	Submitter submitter() {
		return (this.channel == MailAccepted.Channel.PLATFORM) ? new Submitter(null, null) : Submitter.of(this.scope);
	}

	/** Approximate memory use in bytes. */
	long size() {
		return this.mails.stream().mapToLong(SendRequest::size).sum();
	}

	private static long size(MailCheck mail) {
		return switch (mail) {
			case MailCheck.Valid valid -> valid.mail().content().size();
			case MailCheck.Invalid _ -> REFUSED_MAIL_BYTES;
		};
	}

	/**
	 * The key or the person that submits a mail; neither for mail that Mailroom writes.
	 */
	record Submitter(@Nullable UUID apiKeyId, @Nullable UUID personId) {

		static Submitter of(Scope scope) {
			return (scope.apiKey() != null) ? new Submitter(scope.apiKey(), null)
					: new Submitter(null, scope.person().account());
		}

	}

}

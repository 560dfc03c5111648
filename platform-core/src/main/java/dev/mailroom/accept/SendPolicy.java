package dev.mailroom.accept;

import java.util.List;
import java.util.UUID;

import dev.mailroom.Refused;
import org.jspecify.annotations.Nullable;

/**
 * Decides what an account may send, in the contract's order: the account's address, the
 * account's pause, the domain, the sender.
 */
public final class SendPolicy {

	private SendPolicy() {
	}

	/** The refusal of a whole request; null if it may be sent. */
	static @Nullable Refused checkRequest(@Nullable SenderStatus status) {
		@Nullable Refused refused = (status != null) ? checkAccount(status.verified(), status.pausedReason()) : null;
		if (refused == null && (status == null || !status.mayUseDomain())) {
			return EmailRefusals.DOMAIN_NOT_VERIFIED.because(((status != null) ? lostRecords(status) : "")
					+ "The domain's DNS records are not verified: see GET "
					+ "/domains/:id for what was expected and found, then POST /domains/:id/verify");
		}
		return refused;
	}

	/** Records that a domain lost after it was verified: its owner reads this first. */
	private static String lostRecords(SenderStatus status) {
		return (status.lost() != null) ? status.domain() + " lost its records. " + status.lost() + ". " : "";
	}

	/** The refusal of an account that may not send at all; null if it may. */
	public static @Nullable Refused checkAccount(boolean verified, @Nullable String pausedReason) {
		if (!verified) {
			return EmailRefusals.EMAIL_NOT_VERIFIED
				.because("Verify the account's e-mail address first: the link was mailed at registration, and POST "
						+ "/auth/verify-email/resend mails another");
		}
		return (pausedReason != null)
				? EmailRefusals.PAUSED.because("Sending is paused for this account: " + pausedReason) : null;
	}

	/** Checks each mail of a request that may be sent as a whole. */
	static List<CheckedMail> checkMails(List<CheckedMail> mails, SenderStatus status) {
		return mails.stream().map((mail) -> checkMail(mail, status)).toList();
	}

	private static CheckedMail checkMail(CheckedMail mail, SenderStatus status) {
		return switch (mail) {
			case CheckedMail.Invalid invalid -> invalid;
			case CheckedMail.Valid(var draft, var uploaded) when draft.isFrom(status.domain()) -> new CheckedMail.Valid(
					draft.with(draft.content().withDefaultTracking(status.openTracking(), status.clickTracking())),
					uploaded);
			case CheckedMail.Valid(var draft, var _) -> new CheckedMail.Invalid(EmailRefusals.FROM_MISMATCH
				.because("This key sends from " + status.domain() + " only, and from is " + draft.from()));
		};
	}

	/**
	 * Current state of an account and of the domain that it sends from.
	 *
	 * @param verified whether the account's own address is verified
	 * @param pausedReason the reason for which sending is paused; null if it is not
	 * @param domain the domain's name; null if the account has no such domain
	 * @param status the domain's status
	 * @param lost the DNS records that a failed domain lacks
	 * @param openTracking the domain's default; null without a domain
	 * @param clickTracking the domain's default; null without a domain
	 */
	record SenderStatus(UUID accountId, UUID domainId, boolean verified, @Nullable String pausedReason,
			@Nullable String domain, @Nullable String status, @Nullable String lost, @Nullable Boolean openTracking,
			@Nullable Boolean clickTracking) {

		/** A domain whose records cannot be looked up at present stays usable. */
		boolean mayUseDomain() {
			return "verified".equals(this.status) || "temporary_failure".equals(this.status);
		}

		Sender sender() {
			return new Sender(this.accountId, this.domainId);
		}

	}

	/** An account and the domain that it sends from. */
	record Sender(UUID accountId, UUID domainId) {
	}

}

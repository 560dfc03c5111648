package dev.mailroom.accept;

import java.util.ArrayList;
import java.util.List;

import dev.mailroom.Refused;
import org.jspecify.annotations.Nullable;

/**
 * Says what is refused and what may go, in the contract's order: the account's address,
 * the account's pause, the domain, the sender.
 */
public final class SendPolicy {

	private SendPolicy() {
	}

	/** Why the whole request is refused; null where it is not. */
	static @Nullable Refused ofRequest(@Nullable SenderStatus standing) {
		@Nullable Refused refused = (standing != null) ? ofAccount(standing.verified(), standing.pausedReason()) : null;
		if (refused == null && (standing == null || !standing.mayUseDomain())) {
			return EmailRefusals.DOMAIN_NOT_VERIFIED.because(
					((standing != null) ? lost(standing) : "") + "The domain's DNS records are not verified: see GET "
							+ "/domains/:id for what was expected and found, then POST /domains/:id/verify");
		}
		return refused;
	}

	/** A domain that sent until now: its owner looks here first. */
	private static String lost(SenderStatus standing) {
		return (standing.lost() != null) ? standing.domain() + " lost its records. " + standing.lost() + ". " : "";
	}

	/** Why the account may not send at all; null where it may. */
	public static @Nullable Refused ofAccount(boolean verified, @Nullable String pausedReason) {
		if (!verified) {
			return EmailRefusals.EMAIL_NOT_VERIFIED
				.because("Verify the account's e-mail address first: the link was mailed at registration, and POST "
						+ "/auth/verify-email/resend mails another");
		}
		return (pausedReason != null)
				? EmailRefusals.PAUSED.because("Sending is paused for this account: " + pausedReason) : null;
	}

	/** Each mail on its own, once the request as a whole may go. */
	static List<CheckedMail> ofMails(List<CheckedMail> mails, SenderStatus standing) {
		List<CheckedMail> judged = new ArrayList<>();
		mails.forEach((mail) -> judged.add(ofMail(mail, standing)));
		return judged;
	}

	private static CheckedMail ofMail(CheckedMail mail, SenderStatus standing) {
		return switch (mail) {
			case CheckedMail.Unfit unfit -> unfit;
			case CheckedMail.Fit fit when fit.draft().from().address().domain().equals(standing.domain()) ->
				new CheckedMail.Fit(fit.draft().tracked(standing.openTracking(), standing.clickTracking()),
						fit.stowed());
			case CheckedMail.Fit fit -> new CheckedMail.Unfit(EmailRefusals.FROM_MISMATCH
				.because("This key sends from " + standing.domain() + " only, and from is " + fit.draft().from()));
		};
	}

}

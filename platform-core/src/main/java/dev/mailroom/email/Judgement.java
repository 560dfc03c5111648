package dev.mailroom.email;

import java.util.ArrayList;
import java.util.List;

import dev.mailroom.Refused;
import org.jspecify.annotations.Nullable;

/**
 * Says what is refused and what may go, in the contract's order: the account's address,
 * the account's pause, the domain, the sender.
 */
final class Judgement {

	private Judgement() {
	}

	/** Why the whole request is refused; null where it is not. */
	static @Nullable Refused ofRequest(@Nullable Standing standing) {
		@Nullable Refused refused = (standing != null) ? ofAccount(standing.verified(), standing.pausedReason()) : null;
		if (refused == null && (standing == null || !standing.mayUseDomain())) {
			return EmailRefusals.DOMAIN_NOT_VERIFIED.because(
					((standing != null) ? lost(standing) : "") + "The domain's DNS records are not verified: see GET "
							+ "/domains/:id for what was expected and found, then POST /domains/:id/verify");
		}
		return refused;
	}

	/** A domain that sent until now: its owner looks here first. */
	private static String lost(Standing standing) {
		return (standing.lost() != null) ? standing.domain() + " lost its records. " + standing.lost() + ". " : "";
	}

	/** Why the account may not send at all; null where it may. */
	static @Nullable Refused ofAccount(boolean verified, @Nullable String pausedReason) {
		if (!verified) {
			return EmailRefusals.EMAIL_NOT_VERIFIED
				.because("Verify the account's e-mail address first: the link was mailed at registration, and POST "
						+ "/auth/verify-email/resend mails another");
		}
		return (pausedReason != null)
				? EmailRefusals.PAUSED.because("Sending is paused for this account: " + pausedReason) : null;
	}

	/** Each mail on its own, once the request as a whole may go. */
	static List<Candidate> ofMails(List<Candidate> mails, Standing standing) {
		List<Candidate> judged = new ArrayList<>();
		mails.forEach((mail) -> judged.add(ofMail(mail, standing)));
		return judged;
	}

	private static Candidate ofMail(Candidate mail, Standing standing) {
		return switch (mail) {
			case Candidate.Unfit unfit -> unfit;
			case Candidate.Fit fit when fit.draft().from().address().domain().equals(standing.domain()) ->
				new Candidate.Fit(fit.draft().tracked(standing.openTracking(), standing.clickTracking()), fit.stowed());
			case Candidate.Fit fit -> new Candidate.Unfit(EmailRefusals.FROM_MISMATCH
				.because("This key sends from " + standing.domain() + " only, and from is " + fit.draft().from()));
		};
	}

}

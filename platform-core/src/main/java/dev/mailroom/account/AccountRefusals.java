package dev.mailroom.account;

import java.util.List;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;

/** Refusals of the account feature, one per error row of the contract. */
final class AccountRefusals {

	static final Refusal UNAUTHORIZED = new Refusal(Refusal.Kind.UNAUTHENTICATED, "Unauthorized");

	static final Refusal FORBIDDEN = Refusal.forbidden("Forbidden");

	private static final Refusal EMAIL_NOT_VERIFIED = Refusal.forbidden("Email not verified");

	static final Refusal BUSY = Refusal.unavailable("Service unavailable");

	private AccountRefusals() {
	}

	/** The message is the same for an unknown address and for a wrong password. */
	static Refused wrongCredentials() {
		return UNAUTHORIZED.because("The address or the password is wrong.");
	}

	/** The message is the same for unknown, used and expired tokens. */
	static Refused invalidRefreshToken() {
		return UNAUTHORIZED.because("The refresh token is unknown, used or expired: sign in again.");
	}

	/** The link shows control of the address, not knowledge of the account's password. */
	static Refused passwordRequired() {
		return Refusal.INVALID_REQUEST.because("Enter the password of the registration, or choose a new one.",
				List.of(new Refusal.Detail("password", "is required, or a new password")));
	}

	/** The access token alone may be stolen. */
	static Refused passwordOfOldSession() {
		return Refusal.INVALID_REQUEST.because("Repeat the password, or sign in again: this session is some time old.",
				List.of(new Refusal.Detail("password", "is required")));
	}

	/** A stranger may have registered the address. */
	static Refused emailNotVerified() {
		return EMAIL_NOT_VERIFIED.because("Verify the account's e-mail address before you invite people: the link was "
				+ "mailed at registration, and POST /auth/verify-email/resend mails another.");
	}

	static Refused secondFactorNeeded() {
		return FORBIDDEN.because("Operators need a second factor.");
	}

	static Refused wrongPassword() {
		return Refusal.INVALID_REQUEST.because("Nothing was changed.",
				List.of(new Refusal.Detail("password", "is not the account's password")));
	}

	static Refused wrongCurrentPassword() {
		return Refusal.INVALID_REQUEST.because("The password was not changed.",
				List.of(new Refusal.Detail("current_password", "is not the account's password")));
	}

}

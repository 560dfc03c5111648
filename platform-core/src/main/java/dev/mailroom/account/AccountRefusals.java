package dev.mailroom.account;

import java.util.List;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;

/** Every way an account can say no, row for row with the contract. */
final class AccountRefusals {

	static final Refusal INVALID = Refusal.invalid("Invalid request data");

	static final Refusal UNAUTHORIZED = new Refusal(Refusal.Kind.UNAUTHENTICATED, "Unauthorized");

	static final Refusal THROTTLED = Refusal.limited("Rate limit exceeded");

	static final Refusal BUSY = Refusal.unavailable("Service unavailable");

	private AccountRefusals() {
	}

	/** One sentence for an unknown address and for a wrong password. */
	static Refused wrongCredentials() {
		return UNAUTHORIZED.because("The address or the password is wrong.");
	}

	/** One sentence for every refresh token that is not good, whatever the reason. */
	static Refused badRefreshToken() {
		return UNAUTHORIZED.because("The refresh token is unknown, used or expired: sign in again.");
	}

	/** One sentence for every link that is not good, whatever the reason. */
	static Refused badLink() {
		return INVALID.because("The link is unknown, used or expired: ask for a new mail and use the link in it.",
				List.of(new Refusal.Detail("token", "is unknown, used or expired")));
	}

	static Refused wrongCurrentPassword() {
		return INVALID.because("The password was not changed.",
				List.of(new Refusal.Detail("current_password", "is not the account's password")));
	}

}

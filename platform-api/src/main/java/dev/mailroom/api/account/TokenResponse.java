package dev.mailroom.api.account;

import dev.mailroom.account.SignedIn;

/**
 * What a client that signed in goes on with.
 *
 * @param expiresIn seconds until the access token is past
 */
record TokenResponse(String accessToken, String tokenType, long expiresIn, String refreshToken, UserView user) {

	static TokenResponse of(SignedIn signedIn) {
		return new TokenResponse(signedIn.accessToken().text(), "Bearer", signedIn.lifetime().toSeconds(),
				signedIn.refreshToken().text(), UserView.of(signedIn.account()));
	}

	/** Without the tokens, for logs. */
	@Override
	public String toString() {
		return "Tokens of " + this.user.id();
	}
}

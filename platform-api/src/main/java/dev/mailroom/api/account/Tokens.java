package dev.mailroom.api.account;

import dev.mailroom.account.SignedIn;

/**
 * What a client that signed in goes on with.
 *
 * @param expiresIn seconds until the access token is past
 */
record Tokens(String accessToken, String tokenType, long expiresIn, String refreshToken, User user) {

	static Tokens of(SignedIn signedIn) {
		return new Tokens(signedIn.accessToken().text(), "Bearer", signedIn.lifetime().toSeconds(),
				signedIn.refreshToken().text(), User.of(signedIn.account()));
	}

	/** Without the tokens, for logs. */
	@Override
	public String toString() {
		return "Tokens of " + this.user.id();
	}
}

package dev.mailroom.account;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A refresh token. The family is the same for all tokens of a session, so that a used
 * token is recognized; the secret is valid for one refresh.
 *
 * @param family the part that stays the same
 * @param secret the part that each refresh replaces
 */
record RefreshToken(Secret family, Secret secret) {

	private static final Pattern FORM = Pattern.compile("rt_[A-Za-z0-9_-]{43}\\.[A-Za-z0-9_-]{43}");

	private static final int FAMILY_START = 3;

	private static final int FAMILY_END = 46;

	static RefreshToken random() {
		return new RefreshToken(Secret.random(), Secret.random());
	}

	/** Generates the next token of the same family. */
	RefreshToken next() {
		return new RefreshToken(this.family, Secret.random());
	}

	/** Parses a token; empty if the text does not have the form of one. */
	static Optional<RefreshToken> parse(Secret token) {
		String text = token.text();
		return FORM.matcher(text).matches()
				? Optional.of(new RefreshToken(Secret.of(text.substring(FAMILY_START, FAMILY_END)),
						Secret.of(text.substring(FAMILY_END + 1))))
				: Optional.empty();
	}

	/** The token in the form given to clients. */
	Secret text() {
		return Secret.of("rt_" + this.family.text() + "." + this.secret.text());
	}
}

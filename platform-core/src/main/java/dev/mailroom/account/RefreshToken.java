package dev.mailroom.account;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A refresh token: a part that stays, by which a used one is recognised, and a part that
 * is good for one refresh.
 *
 * @param family the part that stays
 * @param secret the part that changes
 */
record RefreshToken(Secret family, Secret secret) {

	private static final Pattern FORM = Pattern.compile("rt_[A-Za-z0-9_-]{43}\\.[A-Za-z0-9_-]{43}");

	private static final int FAMILY_STARTS = 3;

	private static final int FAMILY_ENDS = 46;

	static RefreshToken random() {
		return new RefreshToken(Secret.random(), Secret.random());
	}

	/** The next of the same family. */
	RefreshToken next() {
		return new RefreshToken(this.family, Secret.random());
	}

	/** Reads a token; empty where it cannot be one of ours. */
	static Optional<RefreshToken> parse(Secret token) {
		String text = token.text();
		return FORM.matcher(text).matches()
				? Optional.of(new RefreshToken(Secret.of(text.substring(FAMILY_STARTS, FAMILY_ENDS)),
						Secret.of(text.substring(FAMILY_ENDS + 1))))
				: Optional.empty();
	}

	/** As the caller gets it. */
	Secret whole() {
		return Secret.of("rt_" + this.family.text() + "." + this.secret.text());
	}
}

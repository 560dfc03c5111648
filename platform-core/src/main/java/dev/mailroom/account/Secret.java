package dev.mailroom.account;

import java.security.SecureRandom;
import java.util.Base64;

import com.fasterxml.jackson.annotation.JsonCreator;
import dev.mailroom.secret.Sha256;

/**
 * A password or a token. Its string form is masked, so that it does not appear in logs.
 *
 * @param text the secret itself
 */
public record Secret(String text) {

	private static final SecureRandom RANDOM = new SecureRandom();

	private static final int RANDOM_BYTES = 32;

	/** In JSON a secret is a plain string. */
	@JsonCreator(mode = JsonCreator.Mode.DELEGATING)
	public Secret {
	}

	public static Secret of(String text) {
		return new Secret(text);
	}

	/** Generates a secret of 256 random bits: 43 characters that need no URL encoding. */
	public static Secret random() {
		byte[] bytes = new byte[RANDOM_BYTES];
		RANDOM.nextBytes(bytes);
		return new Secret(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
	}

	/**
	 * SHA-256 of the text, stored in place of a random token. Passwords need a slow hash
	 * instead.
	 */
	public byte[] hash() {
		return Sha256.of(this.text);
	}

	@Override
	public String toString() {
		return "***";
	}
}

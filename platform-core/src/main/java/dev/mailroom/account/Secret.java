package dev.mailroom.account;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;

import com.fasterxml.jackson.annotation.JsonCreator;

/**
 * A password or a token. Printed, it stays hidden, so that no log line ever shows one.
 *
 * @param text what must not be seen
 */
public record Secret(String text) {

	private static final SecureRandom RANDOM = new SecureRandom();

	private static final int BYTES = 32;

	/** In a body it is a string, and nothing else. */
	@JsonCreator(mode = JsonCreator.Mode.DELEGATING)
	public Secret {
	}

	public static Secret of(String text) {
		return new Secret(text);
	}

	/** A new secret of 256 random bits, in 43 characters that a URL takes as they are. */
	static Secret random() {
		byte[] bytes = new byte[BYTES];
		RANDOM.nextBytes(bytes);
		return new Secret(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
	}

	/**
	 * What stands for it in the database. Right for random tokens only: a password needs
	 * a slow hash.
	 */
	byte[] hash() {
		return sha256(this.text);
	}

	static byte[] sha256(String text) {
		try {
			return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public String toString() {
		return "***";
	}
}

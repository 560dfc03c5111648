package dev.mailroom.account;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Time-based one-time codes (TOTP, RFC 6238) with HMAC-SHA-1, six digits and steps of 30
 * seconds, which are the parameters that every authenticator app supports.
 */
final class Totp {

	static final int DIGITS = 6;

	static final Duration STEP = Duration.ofSeconds(30);

	/** Length of a secret, that of the hash (RFC 4226, section 4). */
	static final int SECRET_BYTES = 20;

	/** Steps before and after the current one whose codes are accepted. */
	private static final int WINDOW = 1;

	private static final String ALGORITHM = "HmacSHA1";

	private Totp() {
	}

	/**
	 * Finds the step that a code belongs to, among those that are accepted now. All of
	 * them are compared, each in constant time.
	 * @return empty if the code belongs to none of them
	 */
	static OptionalLong step(byte[] secret, String code, Instant now) {
		byte[] entered = code.getBytes(StandardCharsets.UTF_8);
		long current = Math.floorDiv(now.getEpochSecond(), STEP.toSeconds());
		OptionalLong found = OptionalLong.empty();
		for (long step = current - WINDOW; step <= current + WINDOW; step++) {
			byte[] expected = code(secret, step, DIGITS).getBytes(StandardCharsets.UTF_8);
			if (MessageDigest.isEqual(expected, entered)) {
				found = OptionalLong.of(step);
			}
		}
		return found;
	}

	/** The code of a step (RFC 4226, section 5.3). */
	static String code(byte[] secret, long step, int digits) {
		byte[] hash = hmac(secret, ByteBuffer.allocate(Long.BYTES).putLong(step).array());
		int offset = hash[hash.length - 1] & 0xf;
		int number = ByteBuffer.wrap(hash).getInt(offset) & Integer.MAX_VALUE;
		String decimal = Integer.toString(number % (int) Math.pow(10, digits));
		return "0".repeat(digits - decimal.length()) + decimal;
	}

	private static byte[] hmac(byte[] secret, byte[] message) {
		try {
			Mac mac = Mac.getInstance(ALGORITHM);
			mac.init(new SecretKeySpec(secret, ALGORITHM));
			return mac.doFinal(message);
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("HMAC-SHA-1 is not available", ex);
		}
	}

}

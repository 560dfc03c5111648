package dev.mailroom.apikey;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * A key's text: {@code ek_<key part>_<secret><checksum>}. The checksum is the CRC-32 of
 * all that stands before it, in base 62 and padded to six: a typo is refused without a
 * look-up, and a scanner for leaked secrets knows a real key from a look-alike.
 *
 * @param prefix {@code ek_} and the key part, 12 characters
 * @param secret 43 characters: 256 bits and a little more
 */
record KeyText(String prefix, String secret) {

	private static final String DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

	private static final Pattern FORM = Pattern.compile("(ek_[0-9A-Za-z]{12})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})");

	private static final SecureRandom RANDOM = new SecureRandom();

	static KeyText random() {
		return new KeyText("ek_" + digits(12), digits(43));
	}

	/** Reads a key; empty where it is none of ours or has a typo. */
	static Optional<KeyText> read(String text) {
		Matcher form = FORM.matcher(text);
		return form.matches() ? Optional.of(new KeyText(form.group(1), form.group(2)))
			.filter((key) -> key.checksum().equals(form.group(3))) : Optional.empty();
	}

	/** All of it, as the client keeps it. */
	String text() {
		return this.prefix + "_" + this.secret + checksum();
	}

	/**
	 * What is stored in place of the secret: it is random enough that a plain hash does.
	 */
	byte[] hash() {
		try {
			return MessageDigest.getInstance("SHA-256").digest(this.secret.getBytes(StandardCharsets.US_ASCII));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
	}

	private String checksum() {
		CRC32 crc = new CRC32();
		crc.update((this.prefix + "_" + this.secret).getBytes(StandardCharsets.US_ASCII));
		StringBuilder digits = new StringBuilder();
		long rest = crc.getValue();
		for (int i = 0; i < 6; i++) {
			digits.append(DIGITS.charAt((int) (rest % DIGITS.length())));
			rest /= DIGITS.length();
		}
		return digits.reverse().toString();
	}

	private static String digits(int count) {
		StringBuilder digits = new StringBuilder();
		RANDOM.ints(count, 0, DIGITS.length()).forEach((digit) -> digits.append(DIGITS.charAt(digit)));
		return digits.toString();
	}

	/** The secret stays out of every log. */
	@Override
	public String toString() {
		return this.prefix;
	}

}

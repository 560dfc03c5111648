package dev.mailroom.account;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

import dev.mailroom.secret.Sha256;

/**
 * Text of an API key: {@code ek_<cell><key part>_<secret><checksum>}. Installations
 * without cells name none. The checksum is the CRC-32 of the preceding characters, as six
 * digits of base 62. With it, typing errors are detected without a look-up, and scanners
 * for leaked secrets can verify a finding.
 *
 * @param prefix {@code ek_}, the cell, and the key part of 12 characters
 * @param secret 43 characters, which hold 256 bits
 */
record KeyText(String prefix, String secret) {

	private static final String DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

	private static final Pattern FORM = Pattern
		.compile("(ek_(?:[a-z][a-z0-9]{1,3})?[0-9A-Za-z]{12})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})");

	private static final int KEY_PART = 12;

	private static final SecureRandom RANDOM = new SecureRandom();

	/**
	 * A new key.
	 * @param cell the name of the cell; empty for none
	 */
	static KeyText random(String cell) {
		return new KeyText(ApiKeys.PREFIX + cell + digits(KEY_PART), digits(43));
	}

	/**
	 * Parses a key; empty if it does not have the form of one or the checksum is wrong.
	 */
	static Optional<KeyText> parse(String text) {
		Matcher form = FORM.matcher(text);
		return form.matches() ? Optional.of(new KeyText(form.group(1), form.group(2)))
			.filter((key) -> key.checksum().equals(form.group(3))) : Optional.empty();
	}

	/** The cell that has issued the key; empty for none. */
	String cell() {
		return this.prefix.substring(ApiKeys.PREFIX.length(), this.prefix.length() - KEY_PART);
	}

	/** The complete text, for the client. */
	String text() {
		return this.prefix + "_" + this.secret + checksum();
	}

	/** SHA-256 of the secret, stored in its place; random secrets need no slow hash. */
	byte[] hash() {
		return Sha256.of(this.secret);
	}

	private String checksum() {
		CRC32 crc = new CRC32();
		crc.update((this.prefix + "_" + this.secret).getBytes(StandardCharsets.US_ASCII));
		StringBuilder digits = new StringBuilder();
		long remainder = crc.getValue();
		for (int i = 0; i < 6; i++) {
			digits.append(DIGITS.charAt((int) (remainder % DIGITS.length())));
			remainder /= DIGITS.length();
		}
		return digits.reverse().toString();
	}

	private static String digits(int count) {
		StringBuilder digits = new StringBuilder();
		RANDOM.ints(count, 0, DIGITS.length()).forEach((digit) -> digits.append(DIGITS.charAt(digit)));
		return digits.toString();
	}

	/** Without the secret, for logs. */
	@Override
	public String toString() {
		return this.prefix;
	}

}

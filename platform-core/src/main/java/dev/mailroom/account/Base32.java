package dev.mailroom.account;

import java.math.BigInteger;

/** The base32 encoding (RFC 4648), without padding. */
final class Base32 {

	private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

	private static final int BITS = 5;

	private Base32() {
	}

	/** Encodes bytes whose number of bits is a multiple of five. */
	static String encode(byte[] bytes) {
		int length = bytes.length * Byte.SIZE / BITS;
		if (length * BITS != bytes.length * Byte.SIZE) {
			throw new IllegalArgumentException("Not a multiple of five bits");
		}
		BigInteger number = new BigInteger(1, bytes);
		StringBuilder text = new StringBuilder(length);
		for (int i = length - 1; i >= 0; i--) {
			text.append(ALPHABET.charAt(number.shiftRight(i * BITS).intValue() & (ALPHABET.length() - 1)));
		}
		return text.toString();
	}

}

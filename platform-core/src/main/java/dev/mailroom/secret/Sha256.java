package dev.mailroom.secret;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 digests (FIPS 180-4). */
public final class Sha256 {

	private Sha256() {
	}

	/** The digest of bytes: 32 bytes. */
	public static byte[] of(byte[] bytes) {
		return digest().digest(bytes);
	}

	/** The digest of a text in UTF-8. */
	public static byte[] of(String text) {
		return of(text.getBytes(StandardCharsets.UTF_8));
	}

	/** The digest in lower-case hexadecimal digits. */
	public static String hex(byte[] bytes) {
		return HexFormat.of().formatHex(of(bytes));
	}

	/** The digest of a text in UTF-8, in lower-case hexadecimal digits. */
	public static String hex(String text) {
		return HexFormat.of().formatHex(of(text));
	}

	/** A digest to be updated with several parts. */
	public static MessageDigest digest() {
		try {
			return MessageDigest.getInstance("SHA-256");
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
	}

}

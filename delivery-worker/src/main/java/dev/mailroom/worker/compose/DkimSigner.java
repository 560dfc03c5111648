package dev.mailroom.worker.compose;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.Signature;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

import dev.mailroom.domain.SigningKey;

/**
 * Signs a message (RFC 6376; Ed25519 by RFC 8463), relaxed both ways. From and the other
 * headers that say who speaks to whom are signed once more than they stand there, so that
 * nobody can add one. No time is in it: every attempt has the same bytes.
 */
final class DkimSigner {

	/** Headers that are signed, present or not. */
	private static final List<String> OVERSIGNED = List.of("from", "to", "cc", "subject", "date", "message-id",
			"reply-to", "mime-version", "content-type", "content-transfer-encoding", "in-reply-to", "references",
			"list-unsubscribe", "list-unsubscribe-post");

	private static final Pattern LINES = Pattern.compile("(.{72})(?=.)");

	private DkimSigner() {
	}

	/** The message with a signature of each key before it. */
	static byte[] sign(byte[] message, List<SigningKey> keys) {
		if (keys.isEmpty()) {
			return message;
		}
		RawMessage raw = RawMessage.of(message);
		StringBuilder signatures = new StringBuilder();
		try {
			String bodyHash = base64(MessageDigest.getInstance("SHA-256").digest(raw.relaxedBody()));
			Covered covered = covered(raw);
			for (SigningKey key : keys) {
				signatures.append(signature(covered, key, bodyHash)).append("\r\n");
			}
		}
		catch (GeneralSecurityException ex) {
			throw new Unsigned(ex);
		}
		byte[] before = signatures.toString().getBytes(StandardCharsets.US_ASCII);
		byte[] signed = new byte[before.length + message.length];
		System.arraycopy(before, 0, signed, 0, before.length);
		System.arraycopy(message, 0, signed, before.length, message.length);
		return signed;
	}

	/** What stands in a signature of the header, and what is signed of it. */
	private static Covered covered(RawMessage raw) {
		StringBuilder names = new StringBuilder();
		StringBuilder fields = new StringBuilder();
		for (String name : OVERSIGNED) {
			List<String> values = raw.fields(name);
			// Signed from the last one up (RFC 6376 5.4.2), and then once more for the
			// one nobody may add.
			for (int i = values.size() - 1; i >= 0; i--) {
				names.append(name).append(':');
				fields.append(values.get(i)).append("\r\n");
			}
			names.append(name).append(':');
		}
		names.setLength(names.length() - 1);
		String folded = names.toString()
			.replace(":from:", ":\r\n  from:")
			.replace(":subject:", ":\r\n  subject:")
			.replace(":reply-to:", ":\r\n  reply-to:")
			.replace(":content-transfer", ":\r\n  content-transfer")
			.replace(":references:", ":\r\n  references:");
		return new Covered(folded, fields.toString());
	}

	private static String signature(Covered covered, SigningKey key, String bodyHash) throws GeneralSecurityException {
		String header = "DKIM-Signature: v=1; a=" + key.algorithm() + "; c=relaxed/relaxed; d=" + key.domain()
				+ ";\r\n s=" + key.selector() + ";\r\n h=" + covered.names() + ";\r\n bh=" + bodyHash + ";\r\n b=";
		String input = covered.fields() + RawMessage.relaxed(header);
		return header + folded(base64(sign(key, input.getBytes(StandardCharsets.UTF_8))));
	}

	private static byte[] sign(SigningKey key, byte[] input) throws GeneralSecurityException {
		boolean rsa = key.algorithm().toLowerCase(Locale.ROOT).startsWith("rsa");
		Signature signature = SignatureAlgorithms.of(rsa ? "SHA256withRSA" : "Ed25519");
		signature.initSign(key.key());
		// RFC 8463 signs the hash; RSA's scheme hashes by itself.
		signature.update(rsa ? input : MessageDigest.getInstance("SHA-256").digest(input));
		return signature.sign();
	}

	private static String base64(byte[] bytes) {
		return Base64.getEncoder().encodeToString(bytes);
	}

	/** In lines of 72: white space in the value means nothing. */
	private static String folded(String value) {
		return LINES.matcher(value).replaceAll("$1\r\n  ");
	}

	/** The names of the fields that are signed, and the fields. */
	private record Covered(String names, String fields) {
	}

}

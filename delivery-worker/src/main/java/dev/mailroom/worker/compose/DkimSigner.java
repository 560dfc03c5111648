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
 * DKIM signatures (RFC 6376, RFC 8463 for Ed25519) with relaxed canonicalization of
 * header and body. Fields are oversigned, so that none can be added. There is no
 * timestamp, so that each attempt has the same bytes.
 */
final class DkimSigner {

	/** Signed fields, whether present or not. */
	private static final List<String> OVERSIGNED = List.of("from", "to", "cc", "subject", "date", "message-id",
			"reply-to", "mime-version", "content-type", "content-transfer-encoding", "in-reply-to", "references",
			"list-unsubscribe", "list-unsubscribe-post");

	private static final Pattern LINES = Pattern.compile("(.{72})(?=.)");

	private DkimSigner() {
	}

	/** The message, preceded by a signature field per key. */
	static byte[] sign(byte[] message, List<SigningKey> keys) {
		if (keys.isEmpty()) {
			return message;
		}
		RawMessage raw = RawMessage.of(message);
		StringBuilder signatures = new StringBuilder();
		try {
			String bodyHash = base64(MessageDigest.getInstance("SHA-256").digest(raw.relaxedBody()));
			SignedFields signedFields = signedFields(raw);
			for (SigningKey key : keys) {
				signatures.append(signature(signedFields, key, bodyHash)).append("\r\n");
			}
		}
		catch (GeneralSecurityException ex) {
			throw new Unsigned(ex);
		}
		byte[] fields = signatures.toString().getBytes(StandardCharsets.US_ASCII);
		byte[] signed = new byte[fields.length + message.length];
		System.arraycopy(fields, 0, signed, 0, fields.length);
		System.arraycopy(message, 0, signed, fields.length, message.length);
		return signed;
	}

	/** Names and canonical form of the signed fields. */
	private static SignedFields signedFields(RawMessage raw) {
		StringBuilder names = new StringBuilder();
		StringBuilder fields = new StringBuilder();
		for (String name : OVERSIGNED) {
			List<String> values = raw.fields(name);
			// From the last one upwards (RFC 6376 section 5.4.2); the additional name
			// prevents adding a field.
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
		return new SignedFields(folded, fields.toString());
	}

	private static String signature(SignedFields signedFields, SigningKey key, String bodyHash)
			throws GeneralSecurityException {
		String header = "DKIM-Signature: v=1; a=" + key.algorithm() + "; c=relaxed/relaxed; d=" + key.domain()
				+ ";\r\n s=" + key.selector() + ";\r\n h=" + signedFields.names() + ";\r\n bh=" + bodyHash + ";\r\n b=";
		String input = signedFields.fields() + RawMessage.relaxed(header);
		return header + folded(base64(sign(key, input.getBytes(StandardCharsets.UTF_8))));
	}

	private static byte[] sign(SigningKey key, byte[] input) throws GeneralSecurityException {
		boolean rsa = key.algorithm().toLowerCase(Locale.ROOT).startsWith("rsa");
		Signature signature = SignatureAlgorithms.of(rsa ? "SHA256withRSA" : "Ed25519");
		signature.initSign(key.key());
		// RFC 8463 signs the hash; the RSA algorithm computes it itself.
		signature.update(rsa ? input : MessageDigest.getInstance("SHA-256").digest(input));
		return signature.sign();
	}

	private static String base64(byte[] bytes) {
		return Base64.getEncoder().encodeToString(bytes);
	}

	/** Folds a value into lines of 72 characters; white space in it is ignored. */
	private static String folded(String value) {
		return LINES.matcher(value).replaceAll("$1\r\n  ");
	}

	/** Value of the h= tag, and the fields in canonical form. */
	private record SignedFields(String names, String fields) {
	}

}

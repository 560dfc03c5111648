package dev.mailroom.worker.compose;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.mailroom.domain.SigningKey;
import dev.mailroom.secret.NativeCryptography;
import dev.mailroom.secret.Sha256;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * DKIM signatures (RFC 6376, RFC 8463 for Ed25519) with relaxed canonicalization of
 * header and body. Fields are oversigned: none can be added later. There is no timestamp,
 * because each attempt has the same bytes.
 */
final class Dkim {

	private static final Logger log = LoggerFactory.getLogger(Dkim.class);

	/** Signed fields, whether present or not. */
	static final List<String> OVERSIGNED = List.of("from", "to", "cc", "subject", "date", "message-id", "reply-to",
			"mime-version", "content-type", "content-transfer-encoding", "in-reply-to", "references",
			"list-unsubscribe", "list-unsubscribe-post");

	/**
	 * Fields that are signed as well where the platform asks for reports: they name the
	 * receiver of a complaint (RFC 9477 section 3.1), the mailing list or the sender.
	 */
	private static final List<String> OVERSIGNED_WITH_FEEDBACK = Stream
		.concat(OVERSIGNED.stream(), Stream.of("list-id", "sender", "feedback-id", "cfbl-address", "cfbl-feedback-id"))
		.toList();

	private static final Pattern LINES = Pattern.compile("(.{72})(?=.)");

	private static final @Nullable Provider NATIVE = NativeCryptography.provider().orElse(null);

	private Dkim() {
	}

	/** The message, preceded by a signature field per key. */
	static byte[] sign(byte[] message, List<SigningKey> keys) {
		return sign(message, keys, false);
	}

	/**
	 * The message, preceded by a signature field per key.
	 * @param feedback whether the fields for reports are signed
	 */
	static byte[] sign(byte[] message, List<SigningKey> keys, boolean feedback) {
		if (keys.isEmpty()) {
			return message;
		}
		RawMessage raw = RawMessage.of(message);
		StringBuilder signatures = new StringBuilder();
		try {
			String bodyHash = base64(MessageDigest.getInstance("SHA-256").digest(raw.relaxedBody()));
			SignedFields signedFields = signedFields(raw, feedback ? OVERSIGNED_WITH_FEEDBACK : OVERSIGNED);
			for (SigningKey key : keys) {
				signatures.append(signature(signedFields, key, bodyHash)).append("\r\n");
			}
		}
		catch (GeneralSecurityException ex) {
			throw new Composer.Unsigned(ex);
		}
		byte[] fields = signatures.toString().getBytes(StandardCharsets.US_ASCII);
		byte[] signed = new byte[fields.length + message.length];
		System.arraycopy(fields, 0, signed, 0, fields.length);
		System.arraycopy(message, 0, signed, fields.length, message.length);
		return signed;
	}

	/** Names and canonical form of the signed fields. */
	static SignedFields signedFields(RawMessage raw, List<String> oversigned) {
		StringBuilder names = new StringBuilder();
		StringBuilder fields = new StringBuilder();
		for (String name : oversigned) {
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
			.replace(":references:", ":\r\n  references:")
			.replace(":list-id:", ":\r\n  list-id:")
			.replace(":cfbl-address:", ":\r\n  cfbl-address:");
		return new SignedFields(folded, fields.toString());
	}

	private static String signature(SignedFields signedFields, SigningKey key, String bodyHash)
			throws GeneralSecurityException {
		String header = "DKIM-Signature: v=1; a=" + key.algorithm() + "; c=relaxed/relaxed; d=" + key.domain()
				+ ";\r\n s=" + key.selector() + ";\r\n h=" + signedFields.names() + ";\r\n bh=" + bodyHash + ";\r\n b=";
		String input = signedFields.fields() + RawMessage.relaxed(header);
		return header + folded(base64(sign(key, input.getBytes(StandardCharsets.ISO_8859_1))));
	}

	static byte[] sign(SigningKey key, byte[] input) throws GeneralSecurityException {
		boolean rsa = key.algorithm().toLowerCase(Locale.ROOT).startsWith("rsa");
		Signature signature = algorithm(rsa ? "SHA256withRSA" : "Ed25519");
		signature.initSign(key.key());
		// RFC 8463 signs the hash; the RSA algorithm computes it itself.
		signature.update(rsa ? input : MessageDigest.getInstance("SHA-256").digest(input));
		return signature.sign();
	}

	static byte[] sha256(byte[] bytes) {
		return Sha256.digest().digest(bytes);
	}

	static String base64(byte[] bytes) {
		return Base64.getEncoder().encodeToString(bytes);
	}

	/** Folds a value into lines of 72 characters; white space in it is ignored. */
	static String folded(String value) {
		return LINES.matcher(value).replaceAll("$1\r\n  ");
	}

	/**
	 * An algorithm of Amazon Corretto Crypto Provider if its native library supports this
	 * machine, otherwise of the JDK, which is slower, especially for Ed25519.
	 */
	private static Signature algorithm(String algorithm) throws GeneralSecurityException {
		return (NATIVE != null) ? Signature.getInstance(algorithm, NATIVE) : Signature.getInstance(algorithm);
	}

	/**
	 * Converts a key to the native provider's representation. Otherwise it would be
	 * converted for each signature, which takes longer than an RSA signature.
	 */
	static SigningKey convert(SigningKey key) {
		if (NATIVE == null) {
			return key;
		}
		try {
			PrivateKey converted = KeyFactory.getInstance(key.key().getAlgorithm(), NATIVE)
				.generatePrivate(new PKCS8EncodedKeySpec(key.key().getEncoded()));
			return new SigningKey(key.domain(), key.selector(), key.algorithm(), converted);
		}
		catch (GeneralSecurityException ex) {
			log.warn("The native library does not support a key of {}: {}", key.domain(), ex.toString());
			return key;
		}
	}

	/** Value of the h= tag, and the fields in canonical form. */
	record SignedFields(String names, String fields) {
	}

	/**
	 * A message in the canonical form that is signed: relaxed header and body (RFC 6376
	 * sections 3.4.2 and 3.4.4). The time is linear in the length of the message.
	 */
	record RawMessage(Map<String, List<String>> headers, byte[] message, int bodyStart) {

		private static final String LINE_END = "\r\n";

		static RawMessage of(byte[] message) {
			int bodyStart = bodyStart(message);
			Map<String, List<String>> headers = new HashMap<>();
			// One character for each byte: a received message may have any.
			String head = new String(message, 0, Math.max(0, bodyStart - 2), StandardCharsets.ISO_8859_1);
			for (int from = 0; from < head.length();) {
				int end = fieldEnd(head, from);
				int colon = head.indexOf(':', from);
				if (colon > from && colon < end) {
					String name = head.substring(from, colon).strip().toLowerCase(Locale.ROOT);
					headers.computeIfAbsent(name, (_) -> new ArrayList<>(1)).add(relaxed(head.substring(from, end)));
				}
				from = end + LINE_END.length();
			}
			return new RawMessage(headers, message, bodyStart);
		}

		/** End of a field: a line end that is not followed by a folded line. */
		static int fieldEnd(String head, int from) {
			int end = head.indexOf(LINE_END, from);
			while (end >= 0 && end + 2 < head.length() && isSpace(head.charAt(end + 2))) {
				end = head.indexOf(LINE_END, end + 2);
			}
			return (end < 0) ? head.length() : end;
		}

		private static boolean isSpace(char character) {
			return character == ' ' || character == '\t';
		}

		/** Canonical fields of a name, from top to bottom. */
		List<String> fields(String name) {
			return this.headers.getOrDefault(name, List.of());
		}

		/**
		 * A field in canonical form: unfolded, the name in lower case, white space
		 * reduced to single spaces, none around the colon.
		 */
		static String relaxed(String field) {
			int colon = field.indexOf(':');
			StringBuilder relaxed = new StringBuilder(field.length());
			relaxed.append(field.substring(0, colon).strip().toLowerCase(Locale.ROOT)).append(':');
			int start = relaxed.length();
			boolean space = false;
			for (int i = colon + 1; i < field.length(); i++) {
				char character = field.charAt(i);
				if (isSpace(character)) {
					space = true;
				}
				else if (!field.startsWith(LINE_END, i)) {
					if (space && relaxed.length() > start) {
						relaxed.append(' ');
					}
					space = false;
					relaxed.append(character);
				}
				else {
					i++;
				}
			}
			return relaxed.toString();
		}

		/**
		 * The body in canonical form: white space reduced to single spaces, none at line
		 * ends, no empty lines at the end. Empty lines are counted, and written when
		 * another line follows.
		 */
		byte[] relaxedBody() {
			byte[] relaxed = new byte[this.message.length - this.bodyStart + 2];
			int length = 0;
			int emptyLines = 0;
			for (int from = this.bodyStart; from < this.message.length;) {
				int end = lineEnd(from);
				int begin = length + 2 * emptyLines;
				int after = relaxLine(from, end, relaxed, begin);
				if (after == begin) {
					emptyLines++;
				}
				else {
					endLines(relaxed, length, emptyLines);
					endLines(relaxed, after, 1);
					length = after + 2;
					emptyLines = 0;
				}
				from = end + 2;
			}
			return Arrays.copyOf(relaxed, length);
		}

		private static void endLines(byte[] bytes, int at, int lines) {
			for (int i = at; i < at + 2 * lines; i += 2) {
				bytes[i] = '\r';
				bytes[i + 1] = '\n';
			}
		}

		private int lineEnd(int from) {
			for (int i = from; i + 1 < this.message.length; i++) {
				if (this.message[i] == '\r' && this.message[i + 1] == '\n') {
					return i;
				}
			}
			return this.message.length;
		}

		private int relaxLine(int from, int end, byte[] to, int at) {
			int length = at;
			boolean space = false;
			for (int i = from; i < end; i++) {
				byte octet = this.message[i];
				if (octet == ' ' || octet == '\t') {
					space = true;
					continue;
				}
				if (space) {
					to[length++] = ' ';
					space = false;
				}
				to[length++] = octet;
			}
			return length;
		}

		static int bodyStart(byte[] message) {
			for (int i = 0; i + 3 < message.length; i++) {
				if (message[i] == '\r' && message[i + 1] == '\n' && message[i + 2] == '\r' && message[i + 3] == '\n') {
					return i + 4;
				}
			}
			return message.length;
		}

	}

}

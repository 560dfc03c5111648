package dev.mailroom.worker.compose;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.mailroom.domain.SigningKey;
import dev.mailroom.worker.compose.Dkim.RawMessage;

/**
 * Chain of the servers that forwarded a message (ARC, RFC 8617): each adds a set of three
 * fields with what it found and a seal over all sets. Header and body are in the relaxed
 * form; a newest message signature in another form is not valid here.
 */
public final class ArcChain {

	/** Result of a message without sets. */
	public static final String NONE = "none";

	/** Result of a chain whose seals and newest message signature are valid. */
	public static final String PASS = "pass";

	/** Result of any other chain. */
	public static final String FAIL = "fail";

	private static final String RESULTS = "arc-authentication-results";

	private static final String MESSAGE = "arc-message-signature";

	private static final String SEAL = "arc-seal";

	private static final int MAX_SETS = 50;

	/** The number of a set, which begins the results (RFC 8617 section 4.1.1). */
	private static final Pattern INSTANCE = Pattern.compile("[^:]*:i ?= ?([0-9]{1,2}) ?;.*");

	/** The value of the signature in a field in canonical form. */
	private static final Pattern SIGNATURE = Pattern.compile("([;:] ?b ?=)[^;]*");

	private final RawMessage message;

	/** The fields of each set by their name. */
	private final TreeMap<Integer, Map<String, Field>> sets = new TreeMap<>();

	private boolean malformed;

	private ArcChain(RawMessage message) {
		this.message = message;
		for (String name : List.of(RESULTS, MESSAGE, SEAL)) {
			message.fields(name).forEach((text) -> add(name, Field.of(text)));
		}
	}

	/** Reads the sets of a message. */
	public static ArcChain of(byte[] message) {
		return new ArcChain(RawMessage.of(message));
	}

	private void add(String name, Field field) {
		if (field.instance() < 1 || field.instance() > MAX_SETS) {
			this.malformed = true;
			return;
		}
		this.malformed |= this.sets.computeIfAbsent(field.instance(), (_) -> new HashMap<>()).put(name, field) != null;
	}

	/** The number of the set that a server adds. */
	public int next() {
		return this.sets.isEmpty() ? 1 : this.sets.lastKey() + 1;
	}

	/** Whether a set may be added: not after one that declared the chain as failed. */
	public boolean isOpen() {
		return next() <= MAX_SETS
				&& (this.sets.isEmpty() || !FAIL.equals(field(this.sets.lastKey(), SEAL).tags().get("cv")));
	}

	/**
	 * Verifies the chain (RFC 8617 section 5.2).
	 * @return none, pass or fail
	 * @throws IOException if a key could not be fetched for now
	 */
	public String verify(Keys keys) throws IOException {
		if (this.sets.isEmpty() && !this.malformed) {
			return NONE;
		}
		return (isWellFormed() && isMessageSigned(keys) && areSealed(keys)) ? PASS : FAIL;
	}

	private boolean isWellFormed() {
		return !this.malformed && this.sets.lastKey() == this.sets.size()
				&& this.sets.entrySet()
					.stream()
					.allMatch((set) -> set.getValue().size() == 3
							&& (set.getKey() == 1 ? NONE : PASS).equals(field(set.getKey(), SEAL).tags().get("cv")));
	}

	private boolean isMessageSigned(Keys keys) throws IOException {
		Field signature = field(this.sets.lastKey(), MESSAGE);
		Map<String, String> tags = signature.tags();
		String bodyHash = Dkim.base64(Dkim.sha256(this.message.relaxedBody()));
		if (!"relaxed/relaxed".equals(tags.get("c")) || tags.containsKey("l") || !bodyHash.equals(tags.get("bh"))) {
			return false;
		}
		StringBuilder signed = new StringBuilder();
		Map<String, Integer> used = new HashMap<>();
		for (String listed : tags.getOrDefault("h", "").toLowerCase(Locale.ROOT).split(":", -1)) {
			List<String> fields = this.message.fields(listed);
			int count = used.merge(listed, 1, Integer::sum);
			if (count <= fields.size()) {
				signed.append(fields.get(fields.size() - count)).append("\r\n");
			}
		}
		return isSigned(signature, signed.append(signature.unsigned()).toString(), keys);
	}

	private boolean areSealed(Keys keys) throws IOException {
		for (int instance = this.sets.size(); instance > 0; instance--) {
			Field seal = field(instance, SEAL);
			if (seal.tags().containsKey("h") || !isSigned(seal, sealed(instance, seal.unsigned()), keys)) {
				return false;
			}
		}
		return true;
	}

	/** The sets up to a number, in the order in which they are sealed. */
	private String sealed(int instance, String seal) {
		StringBuilder sealed = new StringBuilder();
		for (int i = 1; i < instance; i++) {
			List.of(RESULTS, MESSAGE, SEAL).forEach(appender(sealed, i));
		}
		List.of(RESULTS, MESSAGE).forEach(appender(sealed, instance));
		return sealed.append(seal).toString();
	}

	private Consumer<String> appender(StringBuilder sealed, int instance) {
		return (name) -> sealed.append(field(instance, name).text()).append("\r\n");
	}

	private Field field(int instance, String name) {
		return this.sets.getOrDefault(instance, Map.of()).getOrDefault(name, Field.MISSING);
	}

	private static boolean isSigned(Field field, String input, Keys keys) throws IOException {
		Map<String, String> tags = field.tags();
		byte[] bytes = input.getBytes(StandardCharsets.ISO_8859_1);
		String algorithm = tags.getOrDefault("a", "");
		try {
			byte[] value = Base64.getDecoder().decode(tags.getOrDefault("b", ""));
			for (PublicKey key : keys.of(tags.getOrDefault("d", ""), tags.getOrDefault("s", ""))) {
				boolean rsa = key.getAlgorithm().equals("RSA");
				Signature signature = Signature.getInstance(rsa ? "SHA256withRSA" : "Ed25519");
				signature.initVerify(key);
				signature.update(rsa ? bytes : Dkim.sha256(bytes));
				if (algorithm.equals(rsa ? "rsa-sha256" : "ed25519-sha256") && signature.verify(value)) {
					return true;
				}
			}
			return false;
		}
		catch (GeneralSecurityException | IllegalArgumentException _) {
			return false;
		}
	}

	/**
	 * Signs and seals a message whose newest results have no signature and no seal yet. A
	 * failed chain is sealed without its earlier sets (RFC 8617 section 5.1.2).
	 * @param result of the chain without the new set
	 */
	static byte[] seal(byte[] message, String result, SigningKey key, Instant at) {
		try {
			RawMessage raw = RawMessage.of(message);
			int instance = new ArcChain(raw).sets.lastKey();
			String names = Dkim.signedFields(raw, Dkim.OVERSIGNED).names();
			String signer = "d=" + key.domain() + "; s=" + key.selector() + "; t=" + at.getEpochSecond() + ";\r\n ";
			String signature = "ARC-Message-Signature: i=" + instance + "; a=rsa-sha256; c=relaxed/relaxed;\r\n "
					+ signer + "h=" + names + ";\r\n bh=" + Dkim.base64(Dkim.sha256(raw.relaxedBody())) + ";\r\n b=";
			signature += signed(key, Dkim.signedFields(raw, Dkim.OVERSIGNED).fields() + RawMessage.relaxed(signature));
			byte[] withSignature = prepended(signature, message);
			ArcChain chain = of(withSignature);
			String seal = "ARC-Seal: i=" + instance + "; a=rsa-sha256; cv=" + result + ";\r\n " + signer + "b=";
			String relaxed = RawMessage.relaxed(seal);
			String input = result.equals(FAIL) ? chain.field(instance, RESULTS).text() + "\r\n"
					+ chain.field(instance, MESSAGE).text() + "\r\n" + relaxed : chain.sealed(instance, relaxed);
			return prepended(seal + signed(key, input), withSignature);
		}
		catch (GeneralSecurityException ex) {
			throw new Composer.Unsigned(ex);
		}
	}

	private static String signed(SigningKey key, String input) throws GeneralSecurityException {
		return Dkim.folded(Dkim.base64(Dkim.sign(key, input.getBytes(StandardCharsets.ISO_8859_1))));
	}

	private static byte[] prepended(String field, byte[] message) {
		byte[] bytes = (field + "\r\n").getBytes(StandardCharsets.US_ASCII);
		byte[] all = new byte[bytes.length + message.length];
		System.arraycopy(bytes, 0, all, 0, bytes.length);
		System.arraycopy(message, 0, all, bytes.length, message.length);
		return all;
	}

	/** Public keys of signers. */
	@FunctionalInterface
	public interface Keys {

		/**
		 * Finds the keys of a selector of a domain; empty if it has none.
		 * @throws IOException if this is not known for now
		 */
		List<PublicKey> of(String domain, String selector) throws IOException;

	}

	/**
	 * A field of a set.
	 *
	 * @param text its canonical form
	 * @param tags values by name, without white space
	 */
	private record Field(String text, int instance, Map<String, String> tags) {

		static final Field MISSING = new Field("", 0, Map.of());

		static Field of(String text) {
			Map<String, String> tags = new HashMap<>();
			List<String> parts = new ArrayList<>(List.of(text.substring(text.indexOf(':') + 1).split(";", -1)));
			Collections.reverse(parts);
			for (String part : parts) {
				int equals = part.indexOf('=');
				if (equals > 0) {
					tags.put(part.substring(0, equals).strip(), part.substring(equals + 1).replace(" ", ""));
				}
			}
			if (text.startsWith(RESULTS)) {
				Matcher results = INSTANCE.matcher(text);
				return new Field(text, results.matches() ? Integer.parseInt(results.group(1)) : 0, Map.of());
			}
			String instance = tags.getOrDefault("i", "");
			return new Field(text, instance.matches("[0-9]{1,2}") ? Integer.parseInt(instance) : 0, tags);
		}

		/** The field without the value of its signature. */
		String unsigned() {
			return SIGNATURE.matcher(this.text).replaceFirst("$1");
		}

	}

}

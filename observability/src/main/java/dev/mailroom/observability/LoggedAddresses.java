package dev.mailroom.observability;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;

import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

import dev.mailroom.secret.Stamp;

import org.springframework.boot.json.JsonWriter;
import org.springframework.boot.json.JsonWriter.ValueProcessor;
import org.springframework.boot.logging.structured.StructuredLoggingJsonMembersCustomizer;
import org.springframework.core.env.Environment;

/**
 * Replaces the local part of each email address in log entries by a hash under a key of
 * the installation: in messages, fields and stack traces, whichever library wrote them.
 */
public final class LoggedAddresses implements StructuredLoggingJsonMembersCustomizer<Object> {

	private static final String ALGORITHM = "HmacSHA256";

	/** The key of this installation; at first a default key of 32 zero bytes. */
	private static final AtomicReference<SecretKey> KEY = new AtomicReference<>(
			new SecretKeySpec(new byte[32], ALGORITHM));

	/** Bytes of a hash: few, because it identifies an address only among known ones. */
	private static final int HASH_BYTES = 6;

	/** An address; the group is its domain. */
	private static final Pattern ADDRESS = Pattern
		.compile("(?:\"[^\"\\r\\n]{1,64}\"|[^\\s\"'`<>()\\[\\]{}|,;:=@/\\\\]{1,64}+)"
				+ "@((?:[\\p{L}\\p{N}_-]{1,63}+\\.){1,30}[\\p{L}\\p{N}-]{2,63}+)");

	@Override
	public void customize(JsonWriter.Members<Object> members) {
		members.applyingValueProcessor(ValueProcessor.of(String.class, (text) -> (text != null) ? hashed(text) : null));
	}

	/** The text with hashes instead of the local parts of addresses. */
	static String hashed(String text) {
		return (text.indexOf('@') < 0) ? text
				: ADDRESS.matcher(text).replaceAll((address) -> hash(address.group()) + "@" + address.group(1));
	}

	/**
	 * Sets the key of the hashes from the configuration of the app. Without a master key,
	 * which only the migration job does not need, the default key remains.
	 */
	static void useKey(Environment environment) {
		Stamp.key(environment, "mailroom logged addresses").ifPresent(KEY::set);
	}

	/**
	 * Stands for an address in the log: equal addresses have equal values in an
	 * installation. Without its key the value does not tell whether it is of a given
	 * address.
	 */
	public static String hash(String address) {
		try {
			Mac mac = Mac.getInstance(ALGORITHM);
			mac.init(KEY.get());
			byte[] hash = mac.doFinal(address.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8));
			return HexFormat.of().formatHex(hash, 0, HASH_BYTES);
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("Every Java platform has HMAC-SHA256", ex);
		}
	}

}

package dev.mailroom.observability;

import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;

import dev.mailroom.secret.Sha256;

import org.springframework.boot.json.JsonWriter;
import org.springframework.boot.json.JsonWriter.ValueProcessor;
import org.springframework.boot.logging.structured.StructuredLoggingJsonMembersCustomizer;

/**
 * Replaces the local part of each email address in log entries by its hash: in messages,
 * fields and stack traces, whichever library wrote them.
 */
public final class LoggedAddresses implements StructuredLoggingJsonMembersCustomizer<Object> {

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

	/** Stands for an address in the log: equal addresses have equal values. */
	public static String hash(String address) {
		return HexFormat.of().formatHex(Sha256.of(address.toLowerCase(Locale.ROOT)), 0, HASH_BYTES);
	}

}

package dev.mailroom.readiness;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A record that names the logo of a domain (BIMI).
 *
 * @param at domain whose record it is
 * @param logo URL of the logo; empty if there is none
 * @param certificate URL of the certificate that proves the right to it; empty without
 * one
 */
public record BimiRecord(String at, String logo, String certificate) {

	private static final Pattern VERSION = Pattern.compile("v\\s*=\\s*BIMI1\\s*(;.*)?",
			Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

	/** Reads a text; empty if it is no record of this version. */
	static Optional<BimiRecord> parse(String at, String text) {
		if (!VERSION.matcher(text.strip()).matches()) {
			return Optional.empty();
		}
		Map<String, String> tags = new HashMap<>();
		for (String field : text.split(";", -1)) {
			int equals = field.indexOf('=');
			if (equals > 0) {
				tags.putIfAbsent(field.substring(0, equals).strip().toLowerCase(Locale.ROOT),
						field.substring(equals + 1).strip());
			}
		}
		return Optional.of(new BimiRecord(at, tags.getOrDefault("l", ""), tags.getOrDefault("a", "")));
	}

	/** Whether the domain states that it takes no part. */
	boolean isDeclined() {
		return this.logo.isEmpty() && this.certificate.isEmpty();
	}

	/**
	 * A reason for which providers do not show the logo.
	 *
	 * @param finding what was found, as a sentence
	 * @param fix what to do, as a sentence
	 */
	public record Problem(String finding, String fix) {
	}

}

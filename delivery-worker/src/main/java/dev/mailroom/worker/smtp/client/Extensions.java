package dev.mailroom.worker.smtp.client;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Extensions that a server announces in its reply to EHLO (RFC 5321 section 4.1.1.1).
 *
 * @param parameters by keyword in upper case
 */
record Extensions(Map<String, String> parameters) {

	static Extensions of(Reply ehlo) {
		Map<String, String> parameters = new HashMap<>();
		ehlo.lines().stream().skip(1).forEach((line) -> {
			String[] words = line.strip().split(" ", 2);
			parameters.put(words[0].toUpperCase(Locale.ROOT), (words.length > 1) ? words[1] : "");
		});
		return new Extensions(Map.copyOf(parameters));
	}

	boolean has(String keyword) {
		return this.parameters.containsKey(keyword);
	}

	/** Whether a mail exceeds the size limit that the server announces (RFC 1870). */
	boolean refuses(long bytes) {
		try {
			long maxBytes = Long.parseLong(this.parameters.getOrDefault("SIZE", "0").strip());
			return maxBytes > 0 && bytes > maxBytes;
		}
		catch (NumberFormatException _) {
			return false;
		}
	}

	/** Mechanisms of AUTH (RFC 4954). */
	Set<String> mechanisms() {
		return Set.copyOf(List.of(this.parameters.getOrDefault("AUTH", "").toUpperCase(Locale.ROOT).split(" ")));
	}

}

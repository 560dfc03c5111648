package dev.mailroom.worker.transport;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What a server offers beyond the plain protocol, by its answer to EHLO (RFC 5321
 * 4.1.1.1).
 *
 * @param offered keyword, upper-case, to its parameters
 */
record Extensions(Map<String, String> offered) {

	static Extensions of(Reply ehlo) {
		Map<String, String> offered = new HashMap<>();
		ehlo.lines().stream().skip(1).forEach((line) -> {
			String[] words = line.strip().split(" ", 2);
			offered.put(words[0].toUpperCase(Locale.ROOT), (words.length > 1) ? words[1] : "");
		});
		return new Extensions(Map.copyOf(offered));
	}

	boolean has(String keyword) {
		return this.offered.containsKey(keyword);
	}

	/** Whether a mail of so many bytes is larger than the server takes (RFC 1870). */
	boolean refuses(long bytes) {
		try {
			long most = Long.parseLong(this.offered.getOrDefault("SIZE", "0").strip());
			return most > 0 && bytes > most;
		}
		catch (NumberFormatException _) {
			return false;
		}
	}

	/** The ways of signing in that it takes (RFC 4954). */
	Set<String> mechanisms() {
		return Set.copyOf(List.of(this.offered.getOrDefault("AUTH", "").toUpperCase(Locale.ROOT).split(" ")));
	}

}

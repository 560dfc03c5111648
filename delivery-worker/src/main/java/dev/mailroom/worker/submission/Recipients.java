package dev.mailroom.worker.submission;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.mailroom.EmailAddress;
import jakarta.mail.internet.InternetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Whom a mail is for. Only those of the envelope get it; who of them stands in To or Cc
 * is shown there, and nobody else is.
 */
record Recipients(List<@Nullable String> to, List<@Nullable String> cc, List<@Nullable String> bcc) {

	static Recipients of(List<String> envelope, List<InternetAddress> to, List<InternetAddress> cc) {
		Map<String, String> left = new LinkedHashMap<>();
		envelope.forEach((address) -> left.putIfAbsent(key(address), address));
		List<@Nullable String> shown = shown(left, to);
		List<@Nullable String> copied = shown(left, cc);
		List<@Nullable String> hidden = new ArrayList<>(left.values());
		if (shown.isEmpty() && !copied.isEmpty()) {
			return new Recipients(copied, shown, hidden);
		}
		// Alone it may see itself: it tells nobody anything.
		return (shown.isEmpty() && hidden.size() == 1) ? new Recipients(hidden, copied, shown)
				: new Recipients(shown, copied, hidden);
	}

	private static List<@Nullable String> shown(Map<String, String> left, List<InternetAddress> named) {
		List<@Nullable String> shown = new ArrayList<>();
		for (InternetAddress address : named) {
			if (left.remove(key(String.valueOf(address.getAddress()))) != null) {
				shown.add(text(address));
			}
		}
		return shown;
	}

	/** {@code Name <address>}, the name as people read it. */
	static String text(InternetAddress address) {
		@Nullable String name = address.getPersonal();
		return (name == null || name.isBlank()) ? String.valueOf(address.getAddress())
				: name + " <" + address.getAddress() + ">";
	}

	private static String key(String address) {
		return EmailAddress.parse(address).map(EmailAddress::key).orElse(address);
	}

}

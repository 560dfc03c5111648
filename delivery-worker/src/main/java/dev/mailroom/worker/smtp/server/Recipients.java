package dev.mailroom.worker.smtp.server;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.mailroom.EmailAddress;
import jakarta.mail.internet.InternetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Recipients of a submitted message. Only the envelope's recipients get the mail; those
 * that are also in To or Cc are shown there, and the others are blind copies.
 */
record Recipients(List<@Nullable String> to, List<@Nullable String> cc, List<@Nullable String> bcc) {

	static Recipients of(List<String> envelope, List<InternetAddress> to, List<InternetAddress> cc) {
		Map<String, String> remaining = new LinkedHashMap<>();
		envelope.forEach((address) -> remaining.putIfAbsent(key(address), address));
		List<@Nullable String> visibleTo = visible(remaining, to);
		List<@Nullable String> visibleCc = visible(remaining, cc);
		List<@Nullable String> hidden = new ArrayList<>(remaining.values());
		if (visibleTo.isEmpty() && !visibleCc.isEmpty()) {
			return new Recipients(visibleCc, visibleTo, hidden);
		}
		// The only recipient of a mail may be shown in it.
		return (visibleTo.isEmpty() && hidden.size() == 1) ? new Recipients(hidden, visibleCc, visibleTo)
				: new Recipients(visibleTo, visibleCc, hidden);
	}

	private static List<@Nullable String> visible(Map<String, String> remaining, List<InternetAddress> header) {
		List<@Nullable String> visible = new ArrayList<>();
		for (InternetAddress address : header) {
			if (remaining.remove(key(String.valueOf(address.getAddress()))) != null) {
				visible.add(text(address));
			}
		}
		return visible;
	}

	/** {@code Name <address>} with the decoded name, or the address. */
	static String text(InternetAddress address) {
		@Nullable String name = address.getPersonal();
		return (name == null || name.isBlank()) ? String.valueOf(address.getAddress())
				: name + " <" + address.getAddress() + ">";
	}

	private static String key(String address) {
		return EmailAddress.parse(address).map(EmailAddress::key).orElse(address);
	}

}

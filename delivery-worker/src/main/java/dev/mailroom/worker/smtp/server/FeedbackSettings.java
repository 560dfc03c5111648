package dev.mailroom.worker.smtp.server;

import java.util.List;
import java.util.Locale;
import java.util.Set;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Addresses for complaints.
 *
 * @param platformDomain domain of the platform's own mail
 * @param feedbackSources domains whose reports are trusted, such as those of feedback
 * loops and of the relay, together with their subdomains
 */
@ConfigurationProperties("mailroom")
record FeedbackSettings(@DefaultValue("mailroom.localhost") String platformDomain,
		@DefaultValue List<String> feedbackSources) {

	/** Mailboxes for complaints (RFC 2142) and for feedback loops. */
	private static final Set<String> MAILBOXES = Set.of("abuse", "fbl", "postmaster");

	/** Whether complaints are sent to this address. */
	boolean isForComplaints(String address) {
		String key = address.toLowerCase(Locale.ROOT);
		int at = key.lastIndexOf('@');
		return at > 0 && MAILBOXES.contains(key.substring(0, at))
				&& key.substring(at + 1).equals(this.platformDomain.toLowerCase(Locale.ROOT));
	}

	/** Whether one of these domains, in lower case, is a source of reports. */
	boolean hasSource(Set<String> domains) {
		return this.feedbackSources.stream()
			.map((source) -> source.strip().toLowerCase(Locale.ROOT))
			.filter((source) -> !source.isEmpty())
			.anyMatch((source) -> domains.stream()
				.anyMatch((domain) -> domain.equals(source) || domain.endsWith("." + source)));
	}

}

package dev.mailroom.worker.feedback;

import java.util.Locale;
import java.util.Set;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where complaints are sent to.
 *
 * @param platformDomain the domain of the platform's own mail
 */
@ConfigurationProperties("mailroom")
record FeedbackSettings(@DefaultValue("mailroom.localhost") String platformDomain) {

	/**
	 * Mailboxes that everybody may complain to (RFC 2142), and that feedback loops use.
	 */
	private static final Set<String> MAILBOXES = Set.of("abuse", "fbl", "postmaster");

	/** Whether complaints come to this address. */
	boolean isForComplaints(String address) {
		String asked = address.toLowerCase(Locale.ROOT);
		int at = asked.lastIndexOf('@');
		return at > 0 && MAILBOXES.contains(asked.substring(0, at))
				&& asked.substring(at + 1).equals(this.platformDomain.toLowerCase(Locale.ROOT));
	}

}

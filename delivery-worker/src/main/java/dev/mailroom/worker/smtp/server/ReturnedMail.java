package dev.mailroom.worker.smtp.server;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.mailroom.mail.outcome.MessageIdMatch;

/**
 * A parsed mail to a feedback address.
 *
 * @param status fields of a delivery status notification: one group for the message and
 * one for each recipient
 * @param feedback fields of a complaint
 * @param original header of the original mail, if included
 * @param text text for people
 */
record ReturnedMail(ReportFields header, List<ReportFields> status, ReportFields feedback, ReportFields original,
		String text) {

	/** Message-ID of the platform's mails, with the email's id. */
	private static final Pattern MESSAGE_ID = Pattern
		.compile("(?i)<?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@[^@<>\\s]+>?");

	/** Address; the lengths are limited to bound the cost of matching. */
	private static final Pattern ADDRESS = Pattern.compile("[^\\s<>;:,\"()@]{1,64}+@[^\\s<>;:,\"()@]{1,255}+");

	/** Fields with recipients (RFC 5965 section 3.2, RFC 3464 section 2.3). */
	private static final List<String> RECIPIENT_FIELDS = List.of("original-rcpt-to", "original-recipient",
			"final-recipient", "removal-recipient");

	/** Whether the mail has a machine-readable part. */
	boolean isReport() {
		return !this.feedback.values().isEmpty() || !this.status.isEmpty();
	}

	/** The original mail's id from its Message-ID, and its recipients. */
	Optional<MessageIdMatch> messageId() {
		Matcher id = MESSAGE_ID.matcher(this.original.get("message-id"));
		return id.matches() ? Optional.of(new MessageIdMatch(UUID.fromString(id.group(1)), recipients()))
				: Optional.empty();
	}

	/**
	 * Whether the report may be about this recipient: it names an address of the same
	 * domain as the final recipient, or none. After forwarding, the final recipient is an
	 * address at another domain.
	 */
	boolean mayConcern(String recipient) {
		String domain = recipient.substring(recipient.lastIndexOf('@')).toLowerCase(Locale.ROOT);
		List<String> finalRecipients = addresses(this.status.stream().map((fields) -> fields.get("final-recipient")))
			.toList();
		return finalRecipients.isEmpty() || finalRecipients.stream().anyMatch((address) -> address.endsWith(domain));
	}

	/** Recipients that the report names; To of the original mail is not specific. */
	private Set<String> recipients() {
		return addresses(
				Stream.concat(Stream.of(this.original.get("x-hmxmroriginalrecipient")),
						Stream.concat(Stream.of(this.feedback), this.status.stream())
							.flatMap((fields) -> RECIPIENT_FIELDS.stream().map(fields::get))))
			.collect(Collectors.toSet());
	}

	private static Stream<String> addresses(Stream<String> values) {
		return values.flatMap((value) -> ADDRESS.matcher(value).results())
			.map(MatchResult::group)
			.map((address) -> address.toLowerCase(Locale.ROOT));
	}

}

package dev.mailroom.worker.feedback;

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

import dev.mailroom.outcome.MessageIdMatch;

/**
 * A mail that came back, taken apart.
 *
 * @param status of a delivery report, a group each for the message and every recipient
 * @param feedback of a complaint
 * @param original the header of the mail that it is about, where it was included
 * @param text what it says to people
 */
record ReturnedMail(ReportFields header, List<ReportFields> status, ReportFields feedback, ReportFields original,
		String text) {

	/** A Message-ID as our mails have it: the mail's own id. */
	private static final Pattern MESSAGE_ID = Pattern
		.compile("(?i)<?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@[^@<>\\s]+>?");

	/** No longer than addresses are: a stranger's word without end must cost little. */
	private static final Pattern ADDRESS = Pattern.compile("[^\\s<>;:,\"()@]{1,64}+@[^\\s<>;:,\"()@]{1,255}+");

	/** Who is told of in a report, in the fields of RFC 5965 3.2 and RFC 3464 2.3. */
	private static final List<String> RECIPIENTS = List.of("original-rcpt-to", "original-recipient", "final-recipient",
			"removal-recipient");

	/** Whether a program wrote it, for programs. */
	boolean isReport() {
		return !this.feedback.values().isEmpty() || !this.status.isEmpty();
	}

	/** The mail that it is about, by the id that it wrote on itself. */
	Optional<MessageIdMatch> trace() {
		Matcher id = MESSAGE_ID.matcher(this.original.get("message-id"));
		return id.matches() ? Optional.of(new MessageIdMatch(UUID.fromString(id.group(1)), recipients()))
				: Optional.empty();
	}

	/**
	 * Whether it tells of this recipient, of somebody at the same domain, or of nobody by
	 * name. Whom the mail was passed on to is in the final recipient alone.
	 */
	boolean mayTellOf(String recipient) {
		String domain = recipient.substring(recipient.lastIndexOf('@')).toLowerCase(Locale.ROOT);
		List<String> named = addresses(this.status.stream().map((fields) -> fields.get("final-recipient"))).toList();
		return named.isEmpty() || named.stream().anyMatch((each) -> each.endsWith(domain));
	}

	/**
	 * The header's To names all who got the mail and not the one who is meant: it does
	 * not count.
	 */
	private Set<String> recipients() {
		return addresses(
				Stream
					.concat(Stream.of(this.original.get("x-hmxmroriginalrecipient")),
							Stream.concat(Stream.of(this.feedback), this.status.stream())
								.flatMap((fields) -> RECIPIENTS.stream().map(fields::get))))
			.collect(Collectors.toSet());
	}

	private static Stream<String> addresses(Stream<String> values) {
		return values.flatMap((value) -> ADDRESS.matcher(value).results())
			.map(MatchResult::group)
			.map((address) -> address.toLowerCase(Locale.ROOT));
	}

}

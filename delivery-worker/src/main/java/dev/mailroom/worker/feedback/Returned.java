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

import dev.mailroom.outcome.Trace;

/**
 * A mail that came back, taken apart.
 *
 * @param status of a delivery report, a group each for the message and every recipient
 * @param feedback of a complaint
 * @param original the header of the mail that it is about, where it was included
 * @param text what it says to people
 */
record Returned(Fields header, List<Fields> status, Fields feedback, Fields original, String text) {

	/** A Message-ID as our mails have it: the mail's own id. */
	private static final Pattern MESSAGE_ID = Pattern
		.compile("(?i)<?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@[^@<>\\s]+>?");

	private static final Pattern ADDRESS = Pattern.compile("[^\\s<>;:,\"()]+@[^\\s<>;:,\"()]+");

	/** Who is told of in a report, in the fields of RFC 5965 3.2 and RFC 3464 2.3. */
	private static final List<String> RECIPIENTS = List.of("original-rcpt-to", "original-recipient", "final-recipient",
			"removal-recipient");

	/** Whether a program wrote it, for programs. */
	boolean isReport() {
		return !this.feedback.values().isEmpty() || !this.status.isEmpty();
	}

	/** The mail that it is about, by the id that it wrote on itself. */
	Optional<Trace> trace() {
		Matcher id = MESSAGE_ID.matcher(this.original.get("message-id"));
		return id.matches() ? Optional.of(new Trace(UUID.fromString(id.group(1)), recipients())) : Optional.empty();
	}

	/**
	 * The header's To names all who got the mail and not the one who is meant: it does
	 * not count.
	 */
	private Set<String> recipients() {
		return Stream
			.concat(Stream.of(this.original.get("x-hmxmroriginalrecipient")),
					Stream.concat(Stream.of(this.feedback), this.status.stream())
						.flatMap((fields) -> RECIPIENTS.stream().map(fields::get)))
			.flatMap((value) -> ADDRESS.matcher(value).results())
			.map(MatchResult::group)
			.map((address) -> address.toLowerCase(Locale.ROOT))
			.collect(Collectors.toSet());
	}

}

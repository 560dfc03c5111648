package dev.mailroom.worker.smtp.server;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.mailroom.mail.outcome.Bounce;
import dev.mailroom.mail.outcome.DeliveryReport;
import dev.mailroom.worker.smtp.server.ReturnedMail.ReportFields;

/**
 * Derives the kind of feedback from a parsed mail. A bounce is hard only if an enhanced
 * status code, or a basic code together with the text, reports an invalid address.
 */
final class ReportReading {

	/** Feedback types that are not complaints (RFC 5965 section 7.3, RFC 6591). */
	private static final Set<String> NOT_COMPLAINTS = Set.of("", "not-spam", "auth-failure", "dmarc");

	/** Author of notifications without a machine-readable part. */
	private static final Pattern DAEMON = Pattern.compile("(?i)mailer-daemon|postmaster|mail delivery (sub)?system");

	private static final Pattern FAILURE_SUBJECT = Pattern.compile(
			"(?i)undeliver|failure notice|returned mail|returning message|delivery .*(failure|failed)|failed delivery"
					+ "|(delivery|mail) failed|could not be delivered|unzustellbar|non remis");

	private static final Pattern DELAY_SUBJECT = Pattern.compile("(?i)delay(ed)?\\b|still being retried|verzögert");

	/**
	 * Line before the quoted original mail, whose text is ignored. Its length is limited
	 * to bound the cost of matching.
	 */
	private static final Pattern QUOTED = Pattern
		.compile("(?im)^-{2,80}+[^\\n]{0,80}?(below this line|copy of|original message|included)");

	private static final int MAX_SUBJECT_LENGTH = 500;

	private static final int MAX_TYPE_LENGTH = 50;

	private static final int MAX_LENGTH = 1000;

	/** Enhanced status code, outside longer numbers, after an optional basic code. */
	private static final Pattern ENHANCED = Pattern
		.compile("(?:\\b[245]\\d\\d[ -])?(?<![\\d.])[245]\\.\\d{1,3}\\.\\d{1,3}(?!\\.?\\d)");

	/** Basic code at the beginning of a reply. */
	private static final Pattern BASIC = Pattern.compile("(?i)(?:^|[:;] ?)((?:[245]\\d\\d)[ -].*)", Pattern.DOTALL);

	private ReportReading() {
	}

	/** Kind of feedback; empty if the mail reports nothing, such as an auto-reply. */
	static Optional<DeliveryReport> of(ReturnedMail mail) {
		if (!mail.feedback().values().isEmpty()) {
			String type = mail.feedback().word("feedback-type");
			return NOT_COMPLAINTS.contains(type) ? Optional.empty() : Optional
				.of(new DeliveryReport.Complained(type.substring(0, Math.min(type.length(), MAX_TYPE_LENGTH))));
		}
		List<ReportFields> recipients = mail.status().stream().filter((group) -> group.has("action")).toList();
		return recipients.isEmpty() ? fromText(mail) : fromStatus(recipients);
	}

	/**
	 * Kind of a delivery status notification. After forwarding to several recipients, one
	 * successful delivery outweighs failures of others.
	 */
	private static Optional<DeliveryReport> fromStatus(List<ReportFields> recipients) {
		Optional<ReportFields> delivered = first(recipients, Set.of("delivered", "expanded"));
		Optional<ReportFields> failed = first(recipients, Set.of("failed"));
		Optional<ReportFields> delayed = first(recipients, Set.of("delayed"));
		if (delivered.isPresent()) {
			return delivered.map((fields) -> new DeliveryReport.Delivered(refusal(fields).diagnostic()));
		}
		if (failed.isPresent()) {
			return failed.map((fields) -> new DeliveryReport.Bounced(refusal(fields)));
		}
		return delayed.map((fields) -> new DeliveryReport.Delayed("Delayed: " + refusal(fields).diagnostic()));
	}

	private static Optional<ReportFields> first(List<ReportFields> recipients, Set<String> actions) {
		return recipients.stream().filter((fields) -> actions.contains(fields.word("action"))).findFirst();
	}

	/**
	 * Kind of a notification without a machine-readable part, by its author and subject.
	 */
	private static Optional<DeliveryReport> fromText(ReturnedMail mail) {
		String line = mail.header().get("subject");
		String subject = line.substring(0, Math.min(line.length(), MAX_SUBJECT_LENGTH));
		boolean fromServer = DAEMON.matcher(mail.header().get("from")).find()
				|| mail.header().has("x-failed-recipients");
		if (!fromServer || AutoReply.is(mail.header())) {
			return Optional.empty();
		}
		if (DELAY_SUBJECT.matcher(subject).find()) {
			return Optional.of(new DeliveryReport.Delayed("Delayed: " + subject));
		}
		if (!FAILURE_SUBJECT.matcher(subject).find()) {
			return Optional.empty();
		}
		return Optional.of(new DeliveryReport.Bounced(refusal(QUOTED.split(mail.text(), 2)[0])));
	}

	/** Reason in the fields of a recipient; the diagnostic is preferred to the status. */
	private static Bounce refusal(ReportFields recipient) {
		String status = recipient.word("status");
		String diagnostic = line(recipient.get("diagnostic-code").replaceFirst("(?i)^\\s*(smtp|x-[\\w-]+)\\s*;", ""));
		String reply = fromCode(diagnostic).orElse("");
		boolean vague = status.isEmpty() || status.endsWith(".0.0");
		boolean specific = !reply.isEmpty() && (vague || !Bounce.enhanced(reply).isEmpty());
		return bounce(specific ? reply : (status + " " + diagnostic).strip());
	}

	/** Reason in the text of a notification. */
	private static Bounce refusal(String text) {
		List<String> lines = text.lines().map(ReportReading::line).filter((line) -> !line.isEmpty()).toList();
		return bounce(lines.stream()
			.map(ReportReading::fromCode)
			.flatMap(Optional::stream)
			.findFirst()
			.orElseGet(() -> lines.isEmpty() ? "Returned without a reason" : lines.getFirst()));
	}

	private static Bounce bounce(String reply) {
		return Bounce.of((reply.length() > MAX_LENGTH) ? reply.substring(0, MAX_LENGTH) : reply,
				Bounce.Command.REPORTED);
	}

	/** Rest of the line from the code on. */
	private static Optional<String> fromCode(String line) {
		Matcher enhanced = ENHANCED.matcher(line);
		if (enhanced.find()) {
			return Optional.of(line.substring(enhanced.start()));
		}
		Matcher basic = BASIC.matcher(line);
		return basic.find() ? Optional.of(basic.group(1)) : Optional.empty();
	}

	private static String line(String text) {
		return text.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
	}

	/** Detection of automatic replies (RFC 3834), which imply that the mail arrived. */
	private static final class AutoReply {

		private static final List<String> FIELDS = List.of("x-autoreply", "x-autorespond", "x-autoresponder",
				"x-vacation", "list-id");

		private static final Set<String> PRECEDENCES = Set.of("auto_reply", "list");

		private static final Pattern SUBJECT = Pattern.compile(
				"(?i)^\\s*(out of (the )?office|auto(matic|matische)?[ -]?(reply|response|antwort)|vacation|away\\b"
						+ "|abwesen|absence|réponse automatique|respuesta automática|risposta automatica)");

		private AutoReply() {
		}

		static boolean is(ReportFields header) {
			return FIELDS.stream().anyMatch(header::has) || PRECEDENCES.contains(header.word("precedence"))
					|| SUBJECT.matcher(header.get("subject")).find();
		}

	}

}

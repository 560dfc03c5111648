package dev.mailroom.worker.feedback;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

import dev.mailroom.outcome.FeedbackReport;

/** What a mail that came back tells of a delivery. */
final class ReportReading {

	/** Kinds of feedback that are no complaint (RFC 5965 7.3, RFC 6591). */
	private static final Set<String> NO_COMPLAINT = Set.of("", "not-spam", "auth-failure", "dmarc");

	/**
	 * From whom a server writes that has no reports; in the languages that are common.
	 */
	private static final Pattern DAEMON = Pattern.compile("(?i)mailer-daemon|postmaster|mail delivery (sub)?system");

	private static final Pattern CAME_BACK = Pattern.compile(
			"(?i)undeliver|failure notice|returned mail|returning message|delivery .*(failure|failed)|failed delivery"
					+ "|(delivery|mail) failed|could not be delivered|unzustellbar|non remis");

	private static final Pattern LATE = Pattern.compile("(?i)delay(ed)?\\b|still being retried|verzögert");

	/**
	 * Behind it the mail itself is quoted, whose words say nothing. Such a line is short,
	 * and a stranger's that is not must not keep us busy.
	 */
	private static final Pattern QUOTED = Pattern
		.compile("(?im)^-{2,80}+[^\\n]{0,80}?(below this line|copy of|original message|included)");

	/** Of a subject: what a server says of a mail is said by then. */
	private static final int LONGEST_SUBJECT = 500;

	private ReportReading() {
	}

	/** Empty where it tells nothing, as an answer from a holiday does. */
	static Optional<FeedbackReport.Kind> of(ReturnedMail mail) {
		if (!mail.feedback().values().isEmpty()) {
			String type = mail.feedback().word("feedback-type");
			return NO_COMPLAINT.contains(type) ? Optional.empty()
					: Optional.of(new FeedbackReport.Kind.Complained(type));
		}
		List<ReportFields> recipients = mail.status().stream().filter((group) -> group.has("action")).toList();
		return recipients.isEmpty() ? told(mail) : reported(recipients);
	}

	/** A mail that one of them has has arrived; it came back where all of them say so. */
	private static Optional<FeedbackReport.Kind> reported(List<ReportFields> recipients) {
		Optional<ReportFields> arrived = first(recipients, Set.of("delivered", "expanded"));
		Optional<ReportFields> failed = first(recipients, Set.of("failed"));
		Optional<ReportFields> late = first(recipients, Set.of("delayed"));
		if (arrived.isPresent()) {
			return arrived.map((it) -> new FeedbackReport.Kind.Delivered(DsnRefusal.of(it).diagnostic()));
		}
		if (failed.isPresent()) {
			return failed.map((it) -> new FeedbackReport.Kind.Bounced(DsnRefusal.of(it)));
		}
		return late.map((it) -> new FeedbackReport.Kind.Delayed("Delayed: " + DsnRefusal.of(it).diagnostic()));
	}

	private static Optional<ReportFields> first(List<ReportFields> recipients, Set<String> actions) {
		return recipients.stream().filter((it) -> actions.contains(it.word("action"))).findFirst();
	}

	/**
	 * Without a report: only what a server writes, and never what a person's program
	 * does.
	 */
	private static Optional<FeedbackReport.Kind> told(ReturnedMail mail) {
		String whole = mail.header().get("subject");
		String subject = whole.substring(0, Math.min(whole.length(), LONGEST_SUBJECT));
		boolean server = DAEMON.matcher(mail.header().get("from")).find() || mail.header().has("x-failed-recipients");
		if (!server || AutoReply.is(mail.header())) {
			return Optional.empty();
		}
		if (LATE.matcher(subject).find()) {
			return Optional.of(new FeedbackReport.Kind.Delayed("Delayed: " + subject));
		}
		if (!CAME_BACK.matcher(subject).find()) {
			return Optional.empty();
		}
		return Optional.of(new FeedbackReport.Kind.Bounced(DsnRefusal.of(QUOTED.split(mail.text(), 2)[0])));
	}

}

package dev.mailroom.mail.outcome;

import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.mailroom.secret.StampedIds;

import org.springframework.stereotype.Component;

/**
 * Envelope senders that identify the account and the delivery (VERP), protected against
 * forgery by a MAC. The address is the same at every attempt. The same is done for the
 * field CFBL-Feedback-ID (RFC 9477), with a MAC of its own: readers of a mail see both,
 * and neither may replace the other.
 */
@Component
public class ReturnPath {

	private static final String PURPOSE = "return path";

	private static final String FEEDBACK_PURPOSE = "feedback id";

	/** Intermediate servers may change the case. */
	private static final Pattern ADDRESS = Pattern
		.compile("<?b\\+([0-9a-v]{" + StampedIds.DIGITS + "})@bounce\\.[^@>]+>?", Pattern.CASE_INSENSITIVE);

	private static final Pattern FEEDBACK_ID = Pattern.compile("[0-9a-v]{" + StampedIds.DIGITS + "}",
			Pattern.CASE_INSENSITIVE);

	private static final Pattern WHITE_SPACE = Pattern.compile("\\s+");

	private final StampedIds ids;

	ReturnPath(StampedIds ids) {
		this.ids = ids;
	}

	/**
	 * The return path of a delivery.
	 * @param domain the sending domain
	 */
	public String of(UUID account, UUID delivery, String domain) {
		return "b+" + this.ids.write(PURPOSE, account, delivery) + "@bounce." + domain;
	}

	/** The value of CFBL-Feedback-ID of a delivery. */
	public String feedbackId(UUID account, UUID delivery) {
		return this.ids.write(FEEDBACK_PURPOSE, account, delivery);
	}

	/** The delivery of a return path; empty for any other address. */
	public Optional<Named> read(String address) {
		Matcher matcher = ADDRESS.matcher(address.strip());
		return matcher.matches() ? read(PURPOSE, matcher.group(1)) : Optional.empty();
	}

	/** The delivery of a CFBL-Feedback-ID; white space in it has no meaning. */
	public Optional<Named> readFeedbackId(String value) {
		return isFeedbackId(value) ? read(FEEDBACK_PURPOSE, WHITE_SPACE.matcher(value).replaceAll(""))
				: Optional.empty();
	}

	/** Whether a value has the form of a CFBL-Feedback-ID, with a valid stamp or not. */
	public static boolean isFeedbackId(String value) {
		return FEEDBACK_ID.matcher(WHITE_SPACE.matcher(value).replaceAll("")).matches();
	}

	private Optional<Named> read(String purpose, String digits) {
		return this.ids.read(purpose, digits).map((found) -> new Named(found.account(), found.id()));
	}

	/** The delivery of a return path. */
	public record Named(UUID account, UUID delivery) {
	}

}

package dev.mailroom.mail.outcome;

/** What a report says about a delivery that was handed over. */
public sealed interface DeliveryReport {

	/** The mail bounced (RFC 3464 action failed). */
	record Bounced(Bounce bounce) implements DeliveryReport {
	}

	/**
	 * The recipient reported the mail as spam.
	 *
	 * @param feedbackType Feedback-Type of RFC 5965, such as abuse
	 */
	record Complained(String feedbackType) implements DeliveryReport {
	}

	/** A server on the route still retries (RFC 3464 action delayed). */
	record Delayed(String reply) implements DeliveryReport {
	}

	/** The recipient's server accepted the mail (RFC 3464 action delivered). */
	record Delivered(String reply) implements DeliveryReport {
	}

}

package dev.mailroom.mail.outcome;

import java.util.Locale;

/** Result of an attempt or of late feedback, as statements, events and meters name it. */
public enum DeliveryResult {

	/** The recipient's server, or a relay with the final word, accepted the mail. */
	DELIVERED,
	/** A relay accepted the mail. */
	SENT,
	/** The recipient was refused permanently. */
	BOUNCED,
	/** The mail was refused temporarily and is tried again. */
	DEFERRED,
	/** No session was available; the mail is tried again. */
	UNOPENED,
	/** No reply arrived; only the attempt is recorded. */
	UNANSWERED,
	/** The recipient is suppressed. */
	SUPPRESSED,
	/** The mail cannot be sent, for a reason other than its recipient. */
	FAILED,
	/** The retries are exhausted. */
	EXPIRED,
	/** The recipient reported the mail as spam. */
	COMPLAINED;

	/** The name in SQL, event kinds and meter tags. */
	public String contractName() {
		return name().toLowerCase(Locale.ROOT);
	}

	static DeliveryResult of(String contractName) {
		return valueOf(contractName.toUpperCase(Locale.ROOT));
	}

	/** The mail's {@code last_event}. */
	String lastEvent() {
		return switch (this) {
			case DEFERRED, UNOPENED -> "delivery_delayed";
			case DELIVERED, SENT, BOUNCED, UNANSWERED, SUPPRESSED, FAILED, EXPIRED, COMPLAINED -> contractName();
		};
	}

	/** The result shown in the list of attempts. */
	DeliveryResult shown() {
		return (this == UNOPENED) ? DEFERRED : this;
	}

	/** The result under which meters count it. */
	DeliveryResult metered() {
		return (this == EXPIRED) ? FAILED : shown();
	}

}

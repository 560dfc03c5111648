package dev.mailroom.mail.outcome;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Feedback on a delivery that arrived after its hand-over.
 *
 * @param verified whether the sender of the report is known; other reports, which each
 * recipient can forge, concern their recipient but do not pause the account
 */
public record FeedbackReport(UUID account, UUID delivery, Kind kind, boolean verified) {

	/** A report of the platform itself. */
	public FeedbackReport(UUID account, UUID delivery, Kind kind) {
		this(account, delivery, kind, true);
	}

	/** Kinds of feedback. */
	public sealed interface Kind {

		/** The mail bounced (RFC 3464 action failed). */
		record Bounced(Bounce bounce) implements Kind {
		}

		/**
		 * The recipient reported the mail as spam.
		 *
		 * @param feedbackType Feedback-Type of RFC 5965, such as abuse
		 */
		record Complained(String feedbackType) implements Kind {
		}

		/** A server on the route still retries (RFC 3464 action delayed). */
		record Delayed(String reply) implements Kind {
		}

		/** The recipient's server accepted the mail (RFC 3464 action delivered). */
		record Delivered(String reply) implements Kind {
		}

	}

	/** The same report with the result of the check of its sender. */
	public FeedbackReport verified(boolean isVerified) {
		return new FeedbackReport(this.account, this.delivery, this.kind, isVerified);
	}

	DeliveryResult result() {
		return switch (this.kind) {
			case Kind.Bounced _ -> DeliveryResult.BOUNCED;
			case Kind.Complained _ -> DeliveryResult.COMPLAINED;
			case Kind.Delayed _ -> DeliveryResult.DEFERRED;
			case Kind.Delivered _ -> DeliveryResult.DELIVERED;
		};
	}

	/** Type of a bounce; null for other kinds. */
	@Nullable String bounceType() {
		return (this.kind instanceof Kind.Bounced(var bounce)) ? bounce.type().wire() : null;
	}

	/** The reply or feedback type without control characters. */
	String diagnostic() {
		String text = switch (this.kind) {
			case Kind.Bounced(var bounce) -> bounce.diagnostic();
			case Kind.Complained(var type) -> type;
			case Kind.Delayed(var reply) -> reply;
			case Kind.Delivered(var reply) -> reply;
		};
		return text.replaceAll("\\p{Cntrl}+", " ").strip();
	}

}

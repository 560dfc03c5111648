package dev.mailroom.outcome;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/** Feedback on a delivery that arrived after its hand-over. */
public record FeedbackReport(UUID account, UUID delivery, Kind kind) {

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

		/** A server on the way is still trying (RFC 3464 action delayed). */
		record Delayed(String reply) implements Kind {
		}

		/** The recipient's server accepted the mail (RFC 3464 action delivered). */
		record Delivered(String reply) implements Kind {
		}

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

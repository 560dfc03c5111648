package dev.mailroom.outcome;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/** What is heard of a delivery after it was handed over. */
public record FeedbackReport(UUID account, UUID delivery, Kind kind) {

	/** All that can be heard. */
	public sealed interface Kind {

		/**
		 * It came back.
		 *
		 * @param bounce why, as far as the server's words tell
		 */
		record Bounced(Bounce bounce) implements Kind {
		}

		/**
		 * The recipient called it spam.
		 *
		 * @param feedbackType in the word of RFC 5965, such as abuse
		 */
		record Complained(String feedbackType) implements Kind {
		}

		/** A server on the way still tries. */
		record Delayed(String reply) implements Kind {
		}

		/** The recipient's server took it. */
		record Delivered(String reply) implements Kind {
		}

	}

	/** As the funnel calls it. */
	String word() {
		return switch (this.kind) {
			case Kind.Bounced _ -> "bounced";
			case Kind.Complained _ -> "complained";
			case Kind.Delayed _ -> "deferred";
			case Kind.Delivered _ -> "delivered";
		};
	}

	@Nullable String bounce() {
		return (this.kind instanceof Kind.Bounced(var bounce)) ? bounce.type().wire() : null;
	}

	/** What was said, without what could not be stored or shown. */
	String said() {
		String said = switch (this.kind) {
			case Kind.Bounced(var bounce) -> bounce.diagnostic();
			case Kind.Complained(var type) -> type;
			case Kind.Delayed(var reply) -> reply;
			case Kind.Delivered(var reply) -> reply;
		};
		return said.replaceAll("\\p{Cntrl}+", " ").strip();
	}

}

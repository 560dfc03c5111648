package dev.mailroom.reputation;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * What one mail adds to the record of the domain it came from.
 *
 * @param reply the receiver's own words; null where there are none
 */
public record ReputationCount(UUID accountId, UUID domainId, Sign sign, @Nullable String reply) {

	/** What is counted. */
	public enum Sign {

		/** A relay took it over; it counts as delivered unless it comes back. */
		SENT,
		/** The recipient's own server took it. */
		DELIVERED,
		/** The address itself was refused. */
		HARD_BOUNCED,
		/** The recipient called it spam. */
		COMPLAINED

	}

	/** Why it speaks against the domain; null where it does not. */
	@Nullable String cause() {
		return switch (this.sign) {
			case SENT, DELIVERED -> null;
			case HARD_BOUNCED -> Cause.of((this.reply != null) ? this.reply : "");
			case COMPLAINED -> Cause.COMPLAINT;
		};
	}

}

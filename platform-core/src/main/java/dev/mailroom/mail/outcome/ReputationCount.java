package dev.mailroom.mail.outcome;

import java.time.LocalDate;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * One mail to be counted in the reputation of its sending domain.
 *
 * @param reply the server's reply; null if there is none
 */
public record ReputationCount(UUID accountId, UUID domainId, Metric metric, @Nullable String reply) {

	/** Columns in which a mail is counted. */
	public enum Metric {

		/** Accepted by a relay; counts as delivered later, unless it bounces. */
		SENT,
		/** Accepted by the recipient's server. */
		DELIVERED,
		/** Refused because the address does not exist. */
		HARD_BOUNCED,
		/** Refused permanently for another reason: a soft or block bounce. */
		OTHER_BOUNCED,
		/** Reported as spam by the recipient. */
		COMPLAINED

	}

	/** The cause of a bounce or complaint; null for other metrics. */
	@Nullable String cause() {
		return switch (this.metric) {
			case SENT, DELIVERED, OTHER_BOUNCED -> null;
			case HARD_BOUNCED -> Reputations.Cause.of((this.reply != null) ? this.reply : "");
			case COMPLAINED -> Reputations.Cause.COMPLAINT;
		};
	}

	/**
	 * A change to the counts of an earlier day. Late feedback corrects the day on which
	 * the mail was first counted.
	 *
	 * @param day day of UTC
	 * @param change 1, or -1 if the mail no longer belongs to this metric
	 * @param verified false for a report whose sender is not known
	 */
	record Correction(ReputationCount count, LocalDate day, int change, boolean verified) {
	}

}

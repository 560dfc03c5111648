package dev.mailroom.outcome;

import java.time.LocalDate;
import java.util.UUID;
import java.util.stream.Stream;

import dev.mailroom.reputation.Correction;
import dev.mailroom.reputation.ReputationCount;
import org.jspecify.annotations.Nullable;

/**
 * A delivery as late news left it.
 *
 * @param was what it was before
 * @param word what it is now, as in a {@link SettledDelivery}
 * @param said what came with the news
 * @param day of UTC, on which it was first settled and counted
 */
record LateOutcome(UUID id, UUID accountId, UUID domainId, UUID emailId, String recipient, String stream, String was,
		String word, int attempt, @Nullable String bounce, String said, LocalDate day) {

	/** The same for what every change is told to. */
	SettledDelivery change() {
		return new SettledDelivery(this.id, this.accountId, this.domainId, this.emailId, this.recipient, this.stream,
				this.word, this.attempt, false, true, this.bounce, this.said, 0);
	}

	/**
	 * How its domain's record changes on the day that it was counted: no mail stands in
	 * two columns there, but a complaint beside its delivery, for each rate is of those
	 * that arrived.
	 */
	Stream<Correction> corrections() {
		return switch (this.word) {
			case "bounced" -> Stream.concat(takenBack(),
					"hard".equals(this.bounce) ? of(ReputationCount.Sign.HARD_BOUNCED, 1) : Stream.empty());
			case "delivered" -> Stream.concat(takenBack(), of(ReputationCount.Sign.DELIVERED, 1));
			case "complained" ->
				Stream.of(takenBack(), of(ReputationCount.Sign.DELIVERED, 1), of(ReputationCount.Sign.COMPLAINED, 1))
					.flatMap((marks) -> marks);
			default -> Stream.empty();
		};
	}

	private Stream<Correction> takenBack() {
		return switch (this.was) {
			case "sent" -> of(ReputationCount.Sign.SENT, -1);
			case "delivered" -> of(ReputationCount.Sign.DELIVERED, -1);
			default -> Stream.empty();
		};
	}

	private Stream<Correction> of(ReputationCount.Sign sign, int by) {
		return Stream
			.of(new Correction(new ReputationCount(this.accountId, this.domainId, sign, this.said), this.day, by));
	}

}

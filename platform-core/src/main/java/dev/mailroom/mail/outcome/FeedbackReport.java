package dev.mailroom.mail.outcome;

import java.time.LocalDate;
import java.util.UUID;
import java.util.stream.Stream;

import dev.mailroom.mail.queue.Transitions;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;

import static dev.mailroom.database.RowColumns.value;

/**
 * Feedback on a delivery that arrived after its hand-over.
 *
 * @param verified whether the sender of the report is known; other reports, which their
 * recipient can forge, concern this recipient but do not pause the account
 */
public record FeedbackReport(UUID account, UUID delivery, DeliveryReport kind, boolean verified) {

	/** A report of the platform itself. */
	public FeedbackReport(UUID account, UUID delivery, DeliveryReport kind) {
		this(account, delivery, kind, true);
	}

	/** The report to write. */
	Transitions.Feedback feedback() {
		return new Transitions.Feedback(this.delivery, this.account, result().contractName(), bounce(), diagnostic(),
				this.verified);
	}

	private DeliveryResult result() {
		return switch (this.kind) {
			case DeliveryReport.Bounced _ -> DeliveryResult.BOUNCED;
			case DeliveryReport.Complained _ -> DeliveryResult.COMPLAINED;
			case DeliveryReport.Delayed _ -> DeliveryResult.DEFERRED;
			case DeliveryReport.Delivered _ -> DeliveryResult.DELIVERED;
		};
	}

	/** Reason of a bounce; null for other kinds. */
	private @Nullable String bounce() {
		return (this.kind instanceof DeliveryReport.Bounced(var bounce)) ? bounce.reason().contractName() : null;
	}

	/** The reply or feedback type without control characters. */
	private String diagnostic() {
		String text = switch (this.kind) {
			case DeliveryReport.Bounced(var bounce) -> bounce.diagnostic();
			case DeliveryReport.Complained(var type) -> type;
			case DeliveryReport.Delayed(var reply) -> reply;
			case DeliveryReport.Delivered(var reply) -> reply;
		};
		return text.replaceAll("\\p{Cntrl}+", " ").strip();
	}

	/**
	 * A delivery whose status was changed by a report.
	 *
	 * @param countedAs the metric under which the delivery was counted before; null if it
	 * was not
	 * @param day day of UTC on which it was first settled and counted
	 * @param verified whether the sender of the report is known
	 */
	record Effect(SettledDelivery delivery, ReputationCount.@Nullable Metric countedAs, LocalDate day,
			boolean verified) {

		static Effect of(Readable row) {
			String counted = row.get("counted_as", String.class);
			return new Effect(SettledDelivery.of(row),
					(counted != null) ? ReputationCount.Metric.valueOf(counted) : null,
					value(row, "day", LocalDate.class), value(row, "verified", Boolean.class));
		}

		/**
		 * Changes of the domain's counts of that day. A mail is counted once as sent,
		 * delivered or bounced; a complaint is counted in addition to the delivery,
		 * because the complaint rate refers to delivered mail.
		 */
		Stream<ReputationCount.Correction> corrections() {
			return switch (this.delivery.result()) {
				case BOUNCED -> Stream.concat(revoked(), Stream.of(change(this.delivery.bounceMetric(), 1)));
				case DELIVERED -> Stream.concat(revoked(), Stream.of(change(ReputationCount.Metric.DELIVERED, 1)));
				case COMPLAINED -> Stream.concat(revoked(), Stream.of(change(ReputationCount.Metric.DELIVERED, 1),
						change(ReputationCount.Metric.COMPLAINED, 1)));
				case SENT, DEFERRED, UNOPENED, UNANSWERED, SUPPRESSED, FAILED, EXPIRED -> Stream.empty();
			};
		}

		private Stream<ReputationCount.Correction> revoked() {
			return (this.countedAs != null) ? Stream.of(change(this.countedAs, -1)) : Stream.empty();
		}

		private ReputationCount.Correction change(ReputationCount.Metric metric, int change) {
			return new ReputationCount.Correction(this.delivery.count(metric), this.day, change, this.verified);
		}

	}

}

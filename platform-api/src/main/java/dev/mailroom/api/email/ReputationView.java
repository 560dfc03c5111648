package dev.mailroom.api.email;

import java.time.LocalDate;
import java.util.List;

import dev.mailroom.mail.outcome.Reputations;
import dev.mailroom.mail.outcome.Standing;
import org.jspecify.annotations.Nullable;

/**
 * Response of {@code GET /analytics/reputation}.
 *
 * @param from first day covered
 * @param to last day covered
 * @param pausedReason reason for which the account is paused; null if it is not
 */
record ReputationView(String standing, @Nullable LocalDate from, @Nullable LocalDate to, long sampleSize,
		long delivered, long hardBounced, long complained, Rate bounce, Rate complaint, List<TopCause> topCauses,
		List<String> advice, @Nullable String pausedReason) {

	static ReputationView of(Reputations.Report report, Reputations.Period period, @Nullable String pausedReason) {
		Reputations.Figures figures = report.figures();
		return new ReputationView(report.standing().contractName(), period.from(), period.to(), figures.sampleSize(),
				figures.delivered(), figures.hardBounced(), figures.complained(),
				Rate.of(figures.bounceRate(), report.bounces(), Standing.Threshold.BOUNCE),
				Rate.of(figures.complaintRate(), report.complaints(), Standing.Threshold.COMPLAINT),
				report.causes().stream().map(TopCause::of).toList(), report.advice(), pausedReason);
	}

	/** A rate in percent with its standing and limits. */
	record Rate(double rate, String standing, double healthyBelow, double riskyAbove) {

		static Rate of(double rate, Standing standing, Standing.Threshold threshold) {
			return new Rate(rate, standing.contractName(), threshold.healthyBelow(), threshold.riskyAbove());
		}

	}

	/** A frequent cause of bounces or complaints. */
	record TopCause(String cause, String meaning, long count) {

		static TopCause of(Reputations.Cause cause) {
			return new TopCause(cause.cause(), cause.meaning(), cause.count());
		}

	}

}

package dev.mailroom.api.reputation;

import java.time.LocalDate;
import java.util.List;

import dev.mailroom.reputation.Cause;
import dev.mailroom.reputation.Figures;
import dev.mailroom.reputation.Report;
import dev.mailroom.reputation.ReportPeriod;
import dev.mailroom.reputation.Standing;
import org.jspecify.annotations.Nullable;

/**
 * Where an account or a domain stands, why, and what to do.
 *
 * @param from the first day that was looked at
 * @param to the last one
 * @param pausedReason why the account may not send at present; null where it may
 */
record ReputationView(String standing, @Nullable LocalDate from, @Nullable LocalDate to, long sampleSize,
		long delivered, long hardBounced, long complained, Rate bounce, Rate complaint, List<Top> topCauses,
		List<String> advice, @Nullable String pausedReason) {

	static ReputationView of(Report report, ReportPeriod span, @Nullable String pausedReason) {
		Figures figures = report.figures();
		return new ReputationView(report.standing().wire(), span.from(), span.to(), figures.sampleSize(),
				figures.delivered(), figures.hardBounced(), figures.complained(),
				Rate.of(figures.bounceRate(), report.bounces(), Standing.Threshold.BOUNCE),
				Rate.of(figures.complaintRate(), report.complaints(), Standing.Threshold.COMPLAINT),
				report.causes().stream().map(Top::of).toList(), report.advice(), pausedReason);
	}

	/** A rate in percent beside what it is measured by. */
	record Rate(double rate, String standing, double healthyBelow, double riskyAbove) {

		static Rate of(double rate, Standing standing, Standing.Threshold threshold) {
			return new Rate(rate, standing.wire(), threshold.healthyBelow(), threshold.riskyAbove());
		}

	}

	/** What mails came back for. */
	record Top(String cause, String meaning, long count) {

		static Top of(Cause cause) {
			return new Top(cause.cause(), cause.meaning(), cause.count());
		}

	}

}

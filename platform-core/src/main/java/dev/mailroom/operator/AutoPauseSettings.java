package dev.mailroom.operator;

import java.util.Optional;

import dev.mailroom.mail.outcome.Reputations;
import dev.mailroom.mail.outcome.Standing;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the automatic pause. An account is paused if a rate is risky (see
 * {@link Standing}) and the sample is large enough.
 *
 * @param enabled whether accounts are paused
 */
@ConfigurationProperties("mailroom.auto-pause")
record AutoPauseSettings(@DefaultValue("true") boolean enabled) {

	/** Observed days, including today: a week has each weekday's kind of mail. */
	static final int DAYS = 7;

	/** Attempted mails below which one bad list would decide the bounce rate. */
	private static final int BOUNCE_SAMPLE = 200;

	/** Delivered mails below which a single complaint exceeds the complaint rate. */
	private static final int COMPLAINT_SAMPLE = 1000;

	/** Complaints below which a mistake of a few persons may be the reason. */
	private static final int COMPLAINTS_SAMPLE = 3;

	private static final String BOUNCES = "%s %% of the mails of the last %d days came back because their addresses "
			+ "do not exist (%d of %d); more than %s %% is too many";

	private static final String COMPLAINTS = "%s %% of the mails of the last %d days were reported as spam (%d of %d); "
			+ "more than %s %% is too many";

	/** The reason for a pause; empty if the rates are acceptable. */
	Optional<String> reason(Reputations.Figures figures) {
		if (figures.delivered() >= COMPLAINT_SAMPLE && figures.complained() >= COMPLAINTS_SAMPLE
				&& Standing.Threshold.COMPLAINT.of(figures.complaintRate()) == Standing.RISKY) {
			return Optional.of(COMPLAINTS.formatted(figures.complaintRate(), DAYS, figures.complained(),
					figures.delivered(), Standing.Threshold.COMPLAINT.riskyAbove()));
		}
		if (figures.sampleSize() >= BOUNCE_SAMPLE
				&& Standing.Threshold.BOUNCE.of(figures.bounceRate()) == Standing.RISKY) {
			return Optional.of(BOUNCES.formatted(figures.bounceRate(), DAYS, figures.hardBounced(),
					figures.sampleSize(), Standing.Threshold.BOUNCE.riskyAbove()));
		}
		return Optional.empty();
	}

}

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
 * @param days number of observed days, including today
 * @param bounceSample minimum number of attempted mails for the bounce rate
 * @param complaintSample minimum number of delivered mails for the complaint rate
 * @param complaints minimum number of complaints
 */
@ConfigurationProperties("mailroom.auto-pause")
record AutoPauseSettings(@DefaultValue("true") boolean enabled, @DefaultValue("7") int days,
		@DefaultValue("200") int bounceSample, @DefaultValue("1000") int complaintSample,
		@DefaultValue("3") int complaints) {

	private static final String BOUNCES = "%s %% of the mails of the last %d days came back because their addresses "
			+ "do not exist (%d of %d); more than %s %% is too many";

	private static final String COMPLAINTS = "%s %% of the mails of the last %d days were reported as spam (%d of %d); "
			+ "more than %s %% is too many";

	/** The reason for a pause; empty if the rates are acceptable. */
	Optional<String> reason(Reputations.Figures figures) {
		if (figures.delivered() >= this.complaintSample && figures.complained() >= this.complaints
				&& Standing.Threshold.COMPLAINT.of(figures.complaintRate()) == Standing.RISKY) {
			return Optional.of(COMPLAINTS.formatted(figures.complaintRate(), this.days, figures.complained(),
					figures.delivered(), Standing.Threshold.COMPLAINT.riskyAbove()));
		}
		if (figures.sampleSize() >= this.bounceSample
				&& Standing.Threshold.BOUNCE.of(figures.bounceRate()) == Standing.RISKY) {
			return Optional.of(BOUNCES.formatted(figures.bounceRate(), this.days, figures.hardBounced(),
					figures.sampleSize(), Standing.Threshold.BOUNCE.riskyAbove()));
		}
		return Optional.empty();
	}

}

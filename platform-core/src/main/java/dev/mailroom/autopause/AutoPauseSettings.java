package dev.mailroom.autopause;

import java.util.Optional;

import dev.mailroom.reputation.Figures;
import dev.mailroom.reputation.Standing;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * When an account is paused by itself. The rates are those from which on a standing is
 * risky; a sample keeps a few mails from deciding.
 *
 * @param enabled whether any is
 * @param days how many are looked at, with today
 * @param bounceSample mails that must have been tried before bounces count
 * @param complaintSample mails that must have arrived before complaints count
 * @param complaints fewer of them never pause
 */
@ConfigurationProperties("mailroom.auto-pause")
record AutoPauseSettings(@DefaultValue("true") boolean enabled, @DefaultValue("7") int days,
		@DefaultValue("200") int bounceSample, @DefaultValue("1000") int complaintSample,
		@DefaultValue("3") int complaints) {

	private static final String BOUNCES = "%s %% of the mails of the last %d days came back because their addresses "
			+ "do not exist (%d of %d); more than %s %% is too many";

	private static final String COMPLAINTS = "%s %% of the mails of the last %d days were reported as spam (%d of %d); "
			+ "more than %s %% is too many";

	/** Why an account with such figures is paused; empty where it is not. */
	Optional<String> reason(Figures figures) {
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

package dev.mailroom.mail.outcome;

import java.util.ArrayList;
import java.util.List;

/**
 * Reputation over a period, with advice.
 *
 * @param causes the most frequent causes of bounces and complaints, most frequent first
 */
public record ReputationReport(ReputationFigures figures, List<BounceCause> causes) {

	/** Below this sample size a single mail changes the rates noticeably. */
	private static final int SMALL_SAMPLE = 100;

	/** The worse of the standings of both rates. */
	public Standing standing() {
		return bounces().or(complaints());
	}

	public Standing bounces() {
		return Standing.Threshold.BOUNCE.of(this.figures.bounceRate());
	}

	public Standing complaints() {
		return Standing.Threshold.COMPLAINT.of(this.figures.complaintRate());
	}

	/** Recommended actions, most urgent first; at least one sentence. */
	public List<String> advice() {
		List<String> advice = new ArrayList<>();
		if (complaints() != Standing.HEALTHY) {
			advice.add("Send only to people who asked for it, state in each mail why they receive it, and make "
					+ "unsubscribing easy: recipients who cannot unsubscribe report spam instead");
		}
		if (bounces() != Standing.HEALTHY) {
			advice.add("Confirm addresses when they are entered, remove those that bounced from your lists, and do not "
					+ "use old or bought lists");
		}
		if (standing() == Standing.RISKY) {
			advice.add("Send less until the rates have fallen: with these rates a provider may block your mail");
		}
		if (standing() != Standing.HEALTHY && this.figures.sampleSize() < SMALL_SAMPLE) {
			advice.add("The rates are based on few mails: look at the causes before you change anything");
		}
		if (advice.isEmpty()) {
			advice
				.add((this.figures.sampleSize() > 0) ? "Nothing needs to be done" : "Nothing was sent in this period");
		}
		return advice;
	}

}

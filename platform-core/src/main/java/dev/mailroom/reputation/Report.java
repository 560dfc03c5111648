package dev.mailroom.reputation;

import java.util.ArrayList;
import java.util.List;

/**
 * What the figures of a time say, and what to do about them.
 *
 * @param causes what most of the mails came back for, the most frequent first
 */
public record Report(Figures figures, List<Cause> causes) {

	/** Below this many mails a single one moves the rates by much. */
	private static final int FEW = 100;

	/** The worse of both rates. */
	public Standing standing() {
		return bounces().or(complaints());
	}

	public Standing bounces() {
		return Standing.Threshold.BOUNCE.of(this.figures.bounceRate());
	}

	public Standing complaints() {
		return Standing.Threshold.COMPLAINT.of(this.figures.complaintRate());
	}

	/** What to do, the most urgent first: at least one sentence. */
	public List<String> advice() {
		List<String> advice = new ArrayList<>();
		if (complaints() != Standing.HEALTHY) {
			advice.add("Send only to people who asked for it, say in each mail why they get it, and make leaving easy: "
					+ "whoever cannot unsubscribe reports spam instead");
		}
		if (bounces() != Standing.HEALTHY) {
			advice.add("Confirm addresses when they are given, take those that bounced off your own lists, and do not "
					+ "write to old or bought ones");
		}
		if (standing() == Standing.RISKY) {
			advice.add("Send less until the rates have fallen: at this height a provider may pause sending");
		}
		if (standing() != Standing.HEALTHY && this.figures.sampleSize() < FEW) {
			advice.add("The rates rest on few mails: look at the causes before you change anything");
		}
		if (advice.isEmpty()) {
			advice.add((this.figures.sampleSize() > 0) ? "Nothing needs to be done" : "Nothing was sent in this time");
		}
		return advice;
	}

}

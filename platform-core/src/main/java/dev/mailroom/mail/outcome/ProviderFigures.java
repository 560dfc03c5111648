package dev.mailroom.mail.outcome;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/**
 * Results of attempts at one provider.
 *
 * @param provider name of a shipped profile, other, or relay
 * @param unencrypted the part of the delivered mails that was sent without TLS
 * @param deferred attempts that were put off
 * @param blocked mails refused because of the sender
 * @param days the days of UTC that have any, in order
 */
public record ProviderFigures(String provider, long delivered, long unencrypted, long deferred, long blocked,
		long complained, List<Day> days) {

	/** Fewer mails than these say nothing. */
	private static final int SMALL_SAMPLE = 50;

	private static final double MAX_BLOCKED = 0.01;

	private static final double MAX_DEFERRED = 0.1;

	private static final double MAX_COMPLAINED = 0.001;

	static ProviderFigures of(String provider, List<Day> days) {
		return new ProviderFigures(provider, days.stream().mapToLong(Day::delivered).sum(),
				days.stream().mapToLong(Day::unencrypted).sum(), days.stream().mapToLong(Day::deferred).sum(),
				days.stream().mapToLong(Day::blocked).sum(), days.stream().mapToLong(Day::complained).sum(), days);
	}

	/** Recommended actions, most urgent first; none if all is well. */
	public List<String> advice() {
		List<String> advice = new ArrayList<>();
		long ended = this.delivered + this.blocked;
		if (ended + this.deferred < SMALL_SAMPLE) {
			return advice;
		}
		if (this.blocked > ended * MAX_BLOCKED) {
			advice.add("It refuses mail because of the sender: read the replies of bounced emails, and pause campaigns "
					+ "until their cause is gone");
		}
		if (this.complained > this.delivered * MAX_COMPLAINED) {
			advice
				.add("Its users report your mail as spam: send only to people who asked for it, and make unsubscribing "
						+ "easy");
		}
		if (this.deferred > (ended + this.deferred) * MAX_DEFERRED) {
			advice.add("It puts off many attempts: send campaigns in smaller parts, or start a warm-up of the domain");
		}
		return advice;
	}

	/** Results of a day of UTC. */
	public record Day(LocalDate day, long delivered, long unencrypted, long deferred, long blocked, long complained) {
	}

}

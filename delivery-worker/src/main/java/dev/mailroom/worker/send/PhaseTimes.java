package dev.mailroom.worker.send;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * Durations of the phases of an SMTP conversation, read from its record. The record of
 * the first mail of a session includes the opening of the session; those of further mails
 * have envelope and data only.
 */
final class PhaseTimes {

	private final Map<Phase, Long> began = new EnumMap<>(Phase.class);

	private final Map<Phase, Duration> times = new EnumMap<>(Phase.class);

	private PhaseTimes() {
	}

	/**
	 * Reads lines of the form {@code <milliseconds> C: <command>} or {@code S: <reply>}.
	 */
	static Map<Phase, Duration> of(String conversation) {
		PhaseTimes times = new PhaseTimes();
		conversation.lines().forEach(times::read);
		return times.times;
	}

	private void read(String line) {
		int space = line.indexOf(' ');
		if (space <= 0 || !line.chars().limit(space).allMatch(Character::isDigit)) {
			return;
		}
		long at = Long.parseLong(line.substring(0, space));
		String entry = line.substring(space + 1);
		if (entry.startsWith("to ")) {
			begin(Phase.CONNECT, at);
		}
		else if (entry.startsWith("S: 220")) {
			end(Phase.CONNECT, at);
		}
		else if (entry.startsWith("C: STARTTLS")) {
			begin(Phase.TLS, at);
		}
		else if (entry.startsWith("C: EHLO")) {
			end(Phase.TLS, at);
		}
		else if (entry.startsWith("C: MAIL")) {
			begin(Phase.ENVELOPE, at);
		}
		else if (entry.startsWith("S: 354")) {
			end(Phase.ENVELOPE, at);
		}
		else if (entry.startsWith("C: (the message")) {
			begin(Phase.DATA, at);
		}
		else if (entry.startsWith("S: ")) {
			end(Phase.DATA, at);
		}
	}

	private void begin(Phase phase, long at) {
		this.began.put(phase, at);
	}

	private void end(Phase phase, long at) {
		Long from = this.began.remove(phase);
		if (from != null) {
			this.times.put(phase, Duration.ofMillis(at - from));
		}
	}

	/** Phases of a session and its transactions. */
	enum Phase {

		/** From the connection attempt to the greeting. */
		CONNECT,
		/** From STARTTLS to the next EHLO. */
		TLS,
		/** From MAIL to the reply to DATA. */
		ENVELOPE,
		/** From the message to the reply to the final dot. */
		DATA;

		/** The value of the label. */
		String label() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}

package dev.mailroom.worker.smtp.client;

import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.mail.outcome.Outcome;
import dev.mailroom.operator.Circuit;
import dev.mailroom.operator.DestinationReport;

import org.springframework.stereotype.Component;

/**
 * Hand-overs and deferrals of this worker by destination in the last ten minutes, for
 * operators.
 */
@Component
public class DestinationActivity {

	private static final int MAX_DESTINATIONS = 1_000;

	/** Destinations in a report: the busiest ones. */
	private static final int MAX_REPORTED = 200;

	/** Replies by which a server ends the session or reports that it is overloaded. */
	private static final Pattern BUSY = Pattern.compile("^(421\\b|4\\d\\d[ -]4\\.[34]\\.).*", Pattern.DOTALL);

	/** Refusals for reasons of security or policy (RFC 3463 section 3.8). */
	private static final Pattern DISTRUSTED = Pattern.compile("^4\\d\\d[ -]4\\.7\\..*", Pattern.DOTALL);

	/** Refusals because of the mailbox (RFC 3463 section 3.3). */
	private static final Pattern MAILBOX = Pattern.compile("^4\\d\\d[ -]4\\.2\\..*", Pattern.DOTALL);

	private final Transports transports;

	private final Clock clock;

	private final Cache<Key, Counts> destinations = Caffeine.newBuilder()
		.maximumSize(MAX_DESTINATIONS)
		.expireAfterAccess(Counts.PERIOD)
		.build();

	DestinationActivity(Transports transports, Clock clock) {
		this.transports = transports;
		this.clock = clock;
	}

	/** Counts a hand-over to which a server replied. */
	public void handed(String transport, String recipient, Outcome outcome) {
		Counts counts = counts(transport, recipient.substring(recipient.lastIndexOf('@') + 1));
		counts.add(this.clock.millis(), Kind.HANDED, 1);
		if (outcome instanceof Outcome.Deferred(var reply, var _)) {
			counts.add(this.clock.millis(), cause(reply), 1);
		}
	}

	/** Counts mails for which no session could be opened. */
	public void unopened(String transport, String domain, int mails) {
		counts(transport, domain).add(this.clock.millis(), Kind.UNREACHED, mails);
	}

	/** The busiest destinations, with the connections to them. */
	public List<DestinationReport> reports() {
		long now = this.clock.millis();
		return this.destinations.asMap()
			.entrySet()
			.stream()
			.map((entry) -> report(entry, now))
			.sorted(Comparator.comparing(DestinationReport::circuit)
				.thenComparingLong(DestinationReport::handed)
				.thenComparingLong((report) -> report.deferrals().unreached() + report.deferrals().busy())
				.reversed())
			.limit(MAX_REPORTED)
			.toList();
	}

	private DestinationReport report(Map.Entry<Key, Counts> entry, long now) {
		Key key = entry.getKey();
		Counts counts = entry.getValue();
		Transport.Link link = this.transports.link(key.transport(), key.domain());
		return new DestinationReport(key.transport(), key.domain(), link.connections(), link.limit(), link.circuit(),
				(link.circuit() == Circuit.OPEN) ? this.clock.instant().plus(link.remaining()) : null,
				counts.sum(now, Kind.HANDED, Duration.ofMinutes(1)),
				new DestinationReport.Deferrals(counts.sum(now, Kind.UNREACHED, Counts.PERIOD),
						counts.sum(now, Kind.BUSY, Counts.PERIOD), counts.sum(now, Kind.DISTRUSTED, Counts.PERIOD),
						counts.sum(now, Kind.MAILBOX, Counts.PERIOD), counts.sum(now, Kind.OTHER, Counts.PERIOD)),
				link.site());
	}

	private Counts counts(String transport, String domain) {
		return this.destinations.get(new Key(transport, domain), (_) -> new Counts());
	}

	private static Kind cause(String reply) {
		if (BUSY.matcher(reply).matches()) {
			return Kind.BUSY;
		}
		if (DISTRUSTED.matcher(reply).matches()) {
			return Kind.DISTRUSTED;
		}
		return MAILBOX.matcher(reply).matches() ? Kind.MAILBOX : Kind.OTHER;
	}

	private enum Kind {

		HANDED(0), UNREACHED(1), BUSY(2), DISTRUSTED(3), MAILBOX(4), OTHER(5);

		/** Place among the counts of a slot. */
		private final int place;

		Kind(int place) {
			this.place = place;
		}

	}

	private record Key(String transport, String domain) {
	}

	/**
	 * Counts in slots of ten seconds, of which those of the last ten minutes are kept.
	 */
	private static final class Counts {

		static final Duration PERIOD = Duration.ofMinutes(10);

		private static final long SLOT_MILLIS = 10_000;

		private static final int SLOTS = (int) (PERIOD.toMillis() / SLOT_MILLIS);

		private static final int KINDS = Kind.values().length;

		/** Number of the slot since the epoch, by its place. */
		private final long[] slots = new long[SLOTS];

		private final int[] counts = new int[SLOTS * KINDS];

		synchronized void add(long now, Kind kind, int count) {
			long slot = now / SLOT_MILLIS;
			int place = (int) (slot % SLOTS);
			if (this.slots[place] != slot) {
				this.slots[place] = slot;
				for (int i = 0; i < KINDS; i++) {
					this.counts[place * KINDS + i] = 0;
				}
			}
			this.counts[place * KINDS + kind.place] += count;
		}

		synchronized long sum(long now, Kind kind, Duration period) {
			long last = now / SLOT_MILLIS;
			long first = last - period.toMillis() / SLOT_MILLIS;
			long sum = 0;
			for (int place = 0; place < SLOTS; place++) {
				if (this.slots[place] > first && this.slots[place] <= last) {
					sum += this.counts[place * KINDS + kind.place];
				}
			}
			return sum;
		}

	}

}

package dev.mailroom.operator;

import java.time.Instant;
import java.util.Locale;

import dev.mailroom.site.SiteMemory;
import org.jspecify.annotations.Nullable;

/**
 * A site that workers contacted recently, or of which something was learned.
 *
 * @param site name of the provider's profile, the MX hosts, or the domain
 * @param profile name of its profile
 * @param domains recipient domains of the last ten minutes
 * @param connections open connections of all workers
 * @param connectionLimit number of connections that all workers may use at present
 * @param circuit the worst state of all workers
 * @param closedUntil when an open circuit, or a pause, ends; null without one
 * @param rate hand-overs with a reply in the last minute
 * @param pace present share of the limits of the profile
 * @param pauses number of pauses in succession
 * @param reply the reply that was learned from last; null if nothing was learned
 * @param source the sending address for which it was learned; null without one. Of
 * several, the one that may send least
 */
public record ManagedSite(String site, String profile, long domains, long connections, long connectionLimit,
		Circuit circuit, @Nullable Instant closedUntil, long rate, double pace, int pauses, @Nullable String reply,
		@Nullable Instant learnedAt, @Nullable String source) {

	/** The site with what was learned of it. */
	static ManagedSite of(@Nullable Report report, @Nullable SiteMemory memory, String site, Instant now) {
		Report live = (report != null) ? report : Report.NONE;
		ManagedSite reported = new ManagedSite(site, live.profile(), live.domains(), live.connections(),
				live.connectionLimit(), Circuit.valueOf(live.circuit().toUpperCase(Locale.ROOT)), live.closedUntil(),
				live.handed(), 1, 0, null, null, null);
		return (memory != null) ? reported.learned(memory, now) : reported;
	}

	private ManagedSite learned(SiteMemory memory, Instant now) {
		boolean paused = memory.pausedFor(now).isPositive();
		return new ManagedSite(this.site, memory.profile(), this.domains, this.connections, this.connectionLimit,
				paused ? Circuit.OPEN : this.circuit, paused ? memory.pausedUntil() : this.closedUntil, this.rate,
				memory.paceAt(now), memory.pauses(), memory.reply(), memory.learnedAt(),
				memory.source().isEmpty() ? null : memory.source());
	}

	/** Reports of the workers about a site, added up. */
	record Report(String site, String profile, long domains, long connections, long connectionLimit, String circuit,
			@Nullable Instant closedUntil, long handed) {

		static final Report NONE = new Report("", "", 0, 0, 0, "closed", null, 0);

	}

}

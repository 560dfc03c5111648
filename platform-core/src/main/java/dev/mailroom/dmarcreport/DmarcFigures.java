package dev.mailroom.dmarcreport;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Figures that receivers reported about a domain in a period, and its policy.
 *
 * @param address address for reports; null if reports are not received
 * @param record the policy in DNS and the one to publish
 * @param reports number of reports that are counted
 * @param unverified number of reports whose sender is not proven, which are not
 * @param total sum of all days
 * @param days the days that have reports, in order
 * @param sources the servers with the most mails
 * @param failing the mails that were authenticated by nothing, most frequent first
 * @param policies the policies that receivers saw, the newest first
 */
public record DmarcFigures(@Nullable String address, PolicyRecord record, long reports, long unverified, Counts total,
		List<Day> days, List<Source> sources, List<Failing> failing, List<SeenPolicy> policies) {

	/**
	 * Numbers of mails.
	 *
	 * @param passed authenticated by DKIM or SPF, aligned with From
	 * @param dkim authenticated by DKIM
	 * @param spf authenticated by SPF
	 */
	public record Counts(long count, long passed, long dkim, long spf, long quarantined, long rejected) {

		/** Sum of two. */
		Counts plus(Counts other) {
			return new Counts(this.count + other.count, this.passed + other.passed, this.dkim + other.dkim,
					this.spf + other.spf, this.quarantined + other.quarantined, this.rejected + other.rejected);
		}

	}

	/** Numbers of the reports that begin on a day of UTC. */
	public record Day(LocalDate day, Counts counts) {
	}

	/** The figures with the names of servers. */
	DmarcFigures named(Map<String, String> names) {
		return new DmarcFigures(this.address, this.record, this.reports, this.unverified, this.total, this.days,
				this.sources.stream()
					.map((source) -> new Source(source.address, names.get(source.address), source.ours, source.counts))
					.toList(),
				this.failing.stream()
					.map((row) -> new Failing(row.address, names.get(row.address), row.ours, row.headerFrom,
							row.envelopeFrom, row.selectors, row.count, row.quarantined, row.rejected))
					.toList(),
				this.policies);
	}

	/**
	 * A server that sent mails.
	 *
	 * @param name its name in DNS, which leads back to the address; null if it has none,
	 * or if the name servers did not answer in time
	 * @param ours whether it is a sending address of this installation
	 */
	public record Source(String address, @Nullable String name, boolean ours, Counts counts) {
	}

	/** Mails of a server that neither DKIM nor SPF authenticated for From. */
	public record Failing(String address, @Nullable String name, boolean ours, String headerFrom, String envelopeFrom,
			String selectors, long count, long quarantined, long rejected) {
	}

	/** A policy that receivers saw, with the end of the last period of such a report. */
	public record SeenPolicy(Map<String, String> tags, long reports, Instant lastSeen) {
	}

	/**
	 * The policy of a domain in DNS.
	 *
	 * @param host name of its own record
	 * @param foundAt domain whose record applies; null if there is none
	 * @param found the record that applies; null if there is none
	 * @param action none, quarantine or reject; null without a policy
	 * @param suggested value to publish at the host; null if the present one will do
	 * @param known false if the name servers did not answer
	 */
	public record PolicyRecord(String host, @Nullable String foundAt, @Nullable String found, @Nullable String action,
			@Nullable String suggested, boolean known) {
	}

}

package dev.mailroom.sdk;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A domain dmarc.
 *
 * @param address The address for reports about this domain; null if this installation
 * receives none.
 * @param reports Number of reports that are counted.
 * @param unverified Number of reports whose sender neither SPF nor DKIM proves. They are
 * not counted.
 * @param days The days that have reports, in order.
 * @param sources The servers with the most mails, at most 50.
 * @param failing Mails that neither SPF nor DKIM authenticated for the domain in From,
 * most frequent first, at most 50.
 * @param policies The policies that receivers saw, the newest first, at most 5.
 */
public record DomainDmarc(@Nullable String address, DmarcPolicy record, long reports, long unverified,
		DmarcCounts total, List<Day> days, List<Source> sources, List<Failing> failing, List<Policy> policies) {

	static DomainDmarc of(JsonObject json) {
		return new DomainDmarc(json.textOrNull("address"), DmarcPolicy.of(json.object("record")),
				json.integer("reports"), json.integer("unverified"), DmarcCounts.of(json.object("total")),
				json.list("days", Day::of), json.list("sources", Source::of), json.list("failing", Failing::of),
				json.list("policies", Policy::of));
	}

	/**
	 * An entry of <code>days</code>.
	 */
	public record Day(String day, DmarcCounts counts) {

		static Day of(JsonObject json) {
			return new Day(json.text("day"), DmarcCounts.of(json.object("counts")));
		}

	}

	/**
	 * An entry of <code>sources</code>.
	 *
	 * @param address The IP address.
	 * @param name The name in reverse DNS that leads back to the address; null if there
	 * is none, or no answer.
	 * @param ours Whether it is a sending address of this installation.
	 */
	public record Source(String address, @Nullable String name, boolean ours, DmarcCounts counts) {

		static Source of(JsonObject json) {
			return new Source(json.text("address"), json.textOrNull("name"), json.bool("ours"),
					DmarcCounts.of(json.object("counts")));
		}

	}

	/**
	 * An entry of <code>failing</code>.
	 *
	 * @param headerFrom The domain in From.
	 * @param envelopeFrom The domain of the return path; may be empty.
	 * @param selectors Signatures as selector&#64;domain, separated by blanks.
	 */
	public record Failing(String address, @Nullable String name, boolean ours, String headerFrom, String envelopeFrom,
			String selectors, long count, long quarantined, long rejected) {

		static Failing of(JsonObject json) {
			return new Failing(json.text("address"), json.textOrNull("name"), json.bool("ours"),
					json.text("header_from"), json.text("envelope_from"), json.text("selectors"), json.integer("count"),
					json.integer("quarantined"), json.integer("rejected"));
		}

	}

	/**
	 * An entry of <code>policies</code>.
	 *
	 * @param tags Values of the record by tag.
	 */
	public record Policy(Map<String, @Nullable Object> tags, long reports, Instant lastSeen) {

		static Policy of(JsonObject json) {
			return new Policy(json.map("tags"), json.integer("reports"), json.time("last_seen"));
		}

	}

}

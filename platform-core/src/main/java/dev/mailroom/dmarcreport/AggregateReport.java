package dev.mailroom.dmarcreport;

import java.net.InetAddress;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * An aggregate report, of RFC 9990 or of its predecessor RFC 7489.
 *
 * @param org name of the receiver
 * @param id id that the receiver gave
 * @param begin begin of the period
 * @param policy tags of the policy that the receiver saw, by name
 */
public record AggregateReport(String org, String id, Instant begin, Instant end, Map<String, String> policy,
		List<Row> rows) {

	/** The same report with the rows about a domain and those below it. */
	AggregateReport about(String domain) {
		return new AggregateReport(this.org, this.id, this.begin, this.end, this.policy,
				this.rows.stream()
					.filter((row) -> row.headerFrom().equals(domain) || row.headerFrom().endsWith("." + domain))
					.toList());
	}

	/**
	 * Mails of one server with the same results.
	 *
	 * @param disposition none, quarantine, reject or other
	 * @param dkim whether a valid signature was aligned with From
	 * @param spf whether SPF passed for a domain that was aligned with From
	 * @param headerFrom domain in From, in lower case
	 * @param envelopeFrom domain of the return path; may be empty
	 * @param selectors signatures as selector@domain, separated by blanks
	 */
	public record Row(InetAddress source, long count, String disposition, boolean dkim, boolean spf, String headerFrom,
			String envelopeFrom, String selectors) {
	}

}

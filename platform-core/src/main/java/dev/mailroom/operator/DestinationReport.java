package dev.mailroom.operator;

import java.time.Instant;

import dev.mailroom.site.Site;
import org.jspecify.annotations.Nullable;

/**
 * State of a destination in one worker.
 *
 * @param transport name of the transport
 * @param destination the recipients' domain
 * @param connections open connections to the servers of the domain, or to the relay
 * @param connectionLimit number of connections that may be used at present
 * @param closedUntil when an open circuit admits a trial; null otherwise
 * @param handed hand-overs with a reply in the last minute
 * @param site the servers that share limits; null for a relay, or without profiles
 */
public record DestinationReport(String transport, String destination, int connections, int connectionLimit,
		Circuit circuit, @Nullable Instant closedUntil, long handed, Deferrals deferrals, @Nullable Site site) {

	/**
	 * Numbers of deferrals in the last ten minutes by their cause.
	 *
	 * @param unreached no session could be opened
	 * @param busy the server was overloaded or ended the session
	 * @param distrusted security or policy, such as greylisting
	 * @param mailbox the recipient's mailbox
	 * @param other any other reply
	 */
	public record Deferrals(long unreached, long busy, long distrusted, long mailbox, long other) {
	}

}

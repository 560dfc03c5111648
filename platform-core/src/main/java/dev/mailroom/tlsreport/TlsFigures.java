package dev.mailroom.tlsreport;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Figures that senders reported about a domain in a period.
 *
 * @param address address for reports; null if reports are not received
 * @param record the record that asks for reports; null if reports are not received
 * @param reports number of reports that are counted
 * @param unverified number of reports whose sender is not proven, which are not
 * @param successful number of sessions that satisfied the policies
 * @param failed number of sessions that did not
 * @param failures the most frequent failures
 */
public record TlsFigures(@Nullable String address, @Nullable ReportRecord record, long reports, long unverified,
		long successful, long failed, List<Failure> failures) {

	/** A TXT record to publish. */
	public record ReportRecord(String host, String value) {
	}

	/**
	 * Sessions that failed for the same reason.
	 *
	 * @param policyType sts, tlsa or no-policy-found
	 * @param mxHost server that was to receive; may be empty
	 * @param lastSeen end of the last period of such a report
	 */
	public record Failure(String policyType, String result, String mxHost, long sessions, Instant lastSeen) {
	}

}

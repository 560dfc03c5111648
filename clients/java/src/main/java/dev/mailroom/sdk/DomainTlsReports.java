package dev.mailroom.sdk;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A domain tls reports.
 *
 * @param address The address for reports about this domain; null if this installation
 * receives none.
 * @param reports Number of reports that are counted.
 * @param unverified Number of reports whose sender neither SPF nor DKIM proves. They are
 * not counted.
 * @param successful Sessions with TLS as the policies of the domain demand it.
 * @param failed Sessions without.
 * @param failures The most frequent failures, at most 50.
 */
public record DomainTlsReports(@Nullable String address, @Nullable TlsReportRecord record, long reports,
		long unverified, long successful, long failed, List<Failure> failures) {

	static DomainTlsReports of(JsonObject json) {
		return new DomainTlsReports(json.textOrNull("address"), json.read("record", TlsReportRecord::of),
				json.integer("reports"), json.integer("unverified"), json.integer("successful"), json.integer("failed"),
				json.list("failures", Failure::of));
	}

	/**
	 * An entry of <code>failures</code>.
	 *
	 * @param policyType As reported: sts, tlsa or no-policy-found.
	 * @param result As reported, such as certificate-expired.
	 * @param mxHost The server that was to receive; may be empty.
	 */
	public record Failure(String policyType, String result, String mxHost, long sessions, Instant lastSeen) {

		static Failure of(JsonObject json) {
			return new Failure(json.text("policy_type"), json.text("result"), json.text("mx_host"),
					json.integer("sessions"), json.time("last_seen"));
		}

	}

}

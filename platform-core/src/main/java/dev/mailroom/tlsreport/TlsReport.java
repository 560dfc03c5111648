package dev.mailroom.tlsreport;

import java.time.Instant;
import java.util.List;

/**
 * A report about TLS (RFC 8460).
 *
 * @param org name of the sender
 * @param id id that the sender gave
 * @param begin begin of the period
 */
public record TlsReport(String org, String id, Instant begin, Instant end, List<Policy> policies) {

	/**
	 * The same report with the policies of a domain and those below it. Some senders omit
	 * the domain: the address then says which one it is.
	 */
	TlsReport about(String domain) {
		return new TlsReport(this.org, this.id, this.begin, this.end,
				this.policies.stream()
					.filter((policy) -> policy.domain().isEmpty() || policy.domain().equals(domain)
							|| policy.domain().endsWith("." + domain))
					.toList());
	}

	/**
	 * Sessions under a policy.
	 *
	 * @param domain domain of the policy, in lower case; may be empty
	 * @param successful number of sessions that satisfied it
	 * @param failed number of sessions that did not
	 */
	public record Policy(String domain, long successful, long failed, List<Failure> failures) {
	}

	/**
	 * Sessions that failed for the same reason.
	 *
	 * @param policyType sts, tlsa or no-policy-found
	 * @param result the result, as certificate-expired
	 * @param source address of the server that sent; may be empty
	 * @param mxHost server that was to receive; may be empty
	 * @param reason further reason; may be empty
	 */
	public record Failure(String policyType, String result, String source, String mxHost, String reason,
			long sessions) {
	}

}

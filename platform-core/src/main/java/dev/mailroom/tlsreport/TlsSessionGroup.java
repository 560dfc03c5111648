package dev.mailroom.tlsreport;

import java.time.LocalDate;

/**
 * Direct sessions that are counted together.
 *
 * @param domain domain of recipients, which gets the report
 * @param day day of UTC
 * @param policyType sts, tlsa or no-policy-found
 * @param policyDomain domain of the policy
 * @param result result of RFC 8460 section 4.3; empty for success
 * @param source own address; empty for success, if it is not public or not known
 * @param mxHost name of the server; empty for success
 * @param ip address of the server; empty for success, or if none was contacted
 * @param reason text of the error or of the server's reply; empty for success, or if
 * there is none
 */
public record TlsSessionGroup(String domain, LocalDate day, String policyType, String policyDomain, String result,
		String source, String mxHost, String ip, String reason) {

	/** Whether the sessions satisfied the policy. */
	public boolean isSuccess() {
		return this.result.isEmpty();
	}

}

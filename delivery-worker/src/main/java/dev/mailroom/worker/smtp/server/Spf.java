package dev.mailroom.worker.smtp.server;

import java.util.Locale;

import dev.mailroom.worker.dns.SpfPolicy;
import org.apache.james.jspf.core.exceptions.SPFErrorConstants;

import org.springframework.stereotype.Component;

/** Check whether the sender's domain permits the sending server (RFC 7208). */
@Component
class Spf {

	private final SpfPolicy policy;

	Spf(SpfPolicy policy) {
		this.policy = policy;
	}

	/** Evaluates the sender's policy. Blocks on DNS lookups. */
	Result check(IncomingMail mail) {
		String result = this.policy.result(mail.client(), mail.sender(), mail.helo());
		return new Result(switch (result) {
			case SPFErrorConstants.PASS_CONV -> CheckResult.PASS;
			case SPFErrorConstants.FAIL_CONV -> CheckResult.FAIL;
			default -> CheckResult.GRAY;
		}, domain(mail), result.equals(SPFErrorConstants.TEMP_ERROR_CONV));
	}

	/** The domain of HELO if the return path is empty (RFC 7208 section 2.4). */
	private static String domain(IncomingMail mail) {
		String domain = mail.sender().isEmpty() ? mail.helo()
				: mail.sender().substring(mail.sender().lastIndexOf('@') + 1);
		return domain.toLowerCase(Locale.ROOT);
	}

	/**
	 * Result of the check.
	 *
	 * @param domain the domain whose policy was evaluated
	 * @param temporary whether the policy could not be fetched; it may permit the server
	 */
	record Result(CheckResult check, String domain, boolean temporary) {

		static final Result BROKEN = new Result(CheckResult.PROCESSING_FAILED, "", false);

	}

}

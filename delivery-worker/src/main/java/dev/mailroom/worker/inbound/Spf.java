package dev.mailroom.worker.inbound;

import java.util.Locale;

import org.apache.james.jspf.core.exceptions.SPFErrorConstants;
import org.apache.james.jspf.impl.SPF;

import org.springframework.stereotype.Component;

/** Whether the envelope's sender lets the sending server write for it (RFC 7208). */
@Component
class Spf {

	private final SPF library;

	Spf(BlockingResolver names) {
		this.library = new SPF(new SpfResolver(names));
	}

	/** Asks name servers and waits for them. */
	Result check(IncomingMail mail) {
		String found = this.library.checkSPF(mail.client().getHostAddress(), mail.sender(), mail.helo()).getResult();
		return new Result(switch (found) {
			case SPFErrorConstants.PASS_CONV -> CheckResult.PASS;
			case SPFErrorConstants.FAIL_CONV -> CheckResult.FAIL;
			default -> CheckResult.GRAY;
		}, domain(mail), found.equals(SPFErrorConstants.TEMP_ERROR_CONV));
	}

	/** A notification has no sender: its server's name stands for it (RFC 7208 2.4). */
	private static String domain(IncomingMail mail) {
		String named = mail.sender().isEmpty() ? mail.helo()
				: mail.sender().substring(mail.sender().lastIndexOf('@') + 1);
		return named.toLowerCase(Locale.ROOT);
	}

	/**
	 * What it came to.
	 *
	 * @param domain which was asked
	 * @param unknown whether name servers did not answer, so that it may hold as well
	 */
	record Result(CheckResult verdict, String domain, boolean unknown) {

		static final Result BROKEN = new Result(CheckResult.PROCESSING_FAILED, "", false);

	}

}

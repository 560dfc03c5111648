package dev.mailroom.worker.smtp.server;

import dev.mailroom.inbound.ArrivedMail;

/** Results of all checks of a received mail. */
public record CheckResults(CheckResult spam, CheckResult virus, CheckResult spf, CheckResult dkim, CheckResult dmarc) {

	/** The results as stored with the mail. */
	public ArrivedMail.Verdicts verdicts() {
		return new ArrivedMail.Verdicts(this.spam.name(), this.virus.name(), this.spf.name(), this.dkim.name(),
				this.dmarc.name());
	}

}

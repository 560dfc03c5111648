package dev.mailroom.worker.checks;

import dev.mailroom.inbound.ReceivedMail;

/** Results of all checks of a received mail. */
public record CheckResults(CheckResult spam, CheckResult virus, CheckResult spf, CheckResult dkim, CheckResult dmarc) {

	/** The results as stored with the mail. */
	public ReceivedMail.Verdicts verdicts() {
		return new ReceivedMail.Verdicts(this.spam.name(), this.virus.name(), this.spf.name(), this.dkim.name(),
				this.dmarc.name());
	}

}

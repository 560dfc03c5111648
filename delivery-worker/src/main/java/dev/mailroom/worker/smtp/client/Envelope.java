package dev.mailroom.worker.smtp.client;

/**
 * Envelope of one SMTP transaction (RFC 5321 section 2.3.1). There is one recipient per
 * transaction, so that each recipient has its own reply and its own return path.
 *
 * @param mailFrom the return path
 */
public record Envelope(String mailFrom, String recipient) {

	/** Whether an address is not ASCII and requires SMTPUTF8 (RFC 6531). */
	public boolean needsUtf8() {
		return (this.mailFrom + this.recipient).chars().anyMatch((character) -> character > 0x7f);
	}

}

package dev.mailroom.worker.transport;

/**
 * Where a mail goes and where its failures go (RFC 5321 2.3.1): one recipient a
 * transaction, so that each has its own answer and its own return path.
 *
 * @param mailFrom the return path
 */
public record Envelope(String mailFrom, String recipient) {

	/** Whether an address of it can only be said in UTF-8 (RFC 6531). */
	boolean needsUtf8() {
		return (this.mailFrom + this.recipient).chars().anyMatch((character) -> character > 0x7f);
	}

}

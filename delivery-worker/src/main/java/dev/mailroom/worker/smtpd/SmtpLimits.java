package dev.mailroom.worker.smtpd;

import java.time.Duration;

/**
 * What keeps a server alive among clients that are slow, many or broken.
 *
 * @param connections open at a time
 * @param connectionsEach open at a time from one address (IPv6: from one /64)
 * @param bytes of mails under way, of all connections together
 * @param command how long a client may take for its next command (RFC 5321 4.5.3.2.7)
 * @param block how long it may pause inside a mail
 * @param mail how long it may take for a whole one
 * @param answer how long a handler may take
 * @param drain how long a stop waits for what is under way
 */
public record SmtpLimits(int connections, int connectionsEach, long bytes, Duration command, Duration block,
		Duration mail, Duration answer, Duration drain) {

	private static final long LARGE = 32L * 1024 * 1024;

	/** The limits that suit a server nobody has said more about. */
	public static SmtpLimits usual() {
		return new SmtpLimits(500, 50, 128L * 1024 * 1024, Duration.ofMinutes(5), Duration.ofMinutes(3),
				Duration.ofMinutes(30), Duration.ofMinutes(2), Duration.ofSeconds(5));
	}

	/**
	 * Of mails under way from one address: enough for one large mail, and never all where
	 * others come too.
	 */
	long bytesEach() {
		return (this.connectionsEach < this.connections) ? Math.min(this.bytes, Math.max(this.bytes / 4, LARGE))
				: this.bytes;
	}

	/** The same for a server that one address alone speaks to. */
	public SmtpLimits forOneClient() {
		return new SmtpLimits(this.connections, this.connections, this.bytes, this.command, this.block, this.mail,
				this.answer, this.drain);
	}

}

package dev.mailroom.worker.smtp.server;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;

import io.netty.handler.ssl.SslContext;
import org.jspecify.annotations.Nullable;

/**
 * Options of a server.
 *
 * @param host address of the listener; empty for all addresses
 * @param port port of the listener; 0 picks a free one
 * @param name host name in the greeting
 * @param tls context for STARTTLS; null if it is not offered
 * @param authWithoutTls whether AUTH is permitted on unencrypted connections
 * @param maxBytes maximum size of a message
 * @param maxRecipients maximum number of recipients of a mail
 */
public record SmtpServerOptions(String host, int port, String name, @Nullable SslContext tls, boolean authWithoutTls,
		int maxBytes, int maxRecipients, SmtpLimits limits) {

	/**
	 * Reads the certificate for STARTTLS, which is read again when a file changes; null
	 * if no file is configured.
	 * @param certFile certificate chain (PEM)
	 * @param keyFile private key (PEM, PKCS #8)
	 * @param variables prefix of the two environment variables, for the error message
	 */
	public static @Nullable SslContext tls(String certFile, String keyFile, String variables) {
		if (certFile.isBlank()) {
			return null;
		}
		try {
			return new RenewableCertificate(Path.of(certFile), Path.of(keyFile));
		}
		catch (IOException | GeneralSecurityException | IllegalArgumentException ex) {
			throw new IllegalStateException(
					variables + "_CERT_FILE and " + variables + "_KEY_FILE must be a certificate and its key in PEM",
					ex);
		}
	}

	/**
	 * Limits of a server.
	 *
	 * @param connections open connections
	 * @param connectionsEach open connections from one address (IPv6: from one /64)
	 * @param bytes memory for mails being received on all connections, and as much again
	 * for mails being handled
	 * @param command time until the client's next command (RFC 5321 section 4.5.3.2.7)
	 * @param block time between two blocks of a message
	 * @param mail time for a whole message, and for commands until the next message
	 * @param answer time for a handler's reply
	 * @param idleCommands commands between two mails that belong to none, such as NOOP
	 * @param drain time that a stop waits for transactions in progress
	 */
	public record SmtpLimits(int connections, int connectionsEach, long bytes, Duration command, Duration block,
			Duration mail, Duration answer, Duration drain, int idleCommands) {

		private static final int MAX_IDLE_COMMANDS = 100;

		private static final long MIN_BYTES_EACH = 32L * 1024 * 1024;

		/** Limits with the default number of idle commands. */
		public SmtpLimits(int connections, int connectionsEach, long bytes, Duration command, Duration block,
				Duration mail, Duration answer, Duration drain) {
			this(connections, connectionsEach, bytes, command, block, mail, answer, drain, MAX_IDLE_COMMANDS);
		}

		/** Default limits. */
		public static SmtpLimits usual() {
			return new SmtpLimits(500, 50, 128L * 1024 * 1024, Duration.ofMinutes(5), Duration.ofMinutes(3),
					Duration.ofMinutes(30), Duration.ofMinutes(2), Duration.ofSeconds(5));
		}

		/**
		 * Memory for mails from one address: a quarter of the total, but enough for one
		 * large mail. The total if a single client may use all connections.
		 */
		long bytesEach() {
			return (this.connectionsEach < this.connections)
					? Math.min(this.bytes, Math.max(this.bytes / 4, MIN_BYTES_EACH)) : this.bytes;
		}

		/**
		 * Memory for handling the mails of one owner: half of the total. No owner can
		 * keep the others out. The total if a single client may use all connections.
		 */
		long handlingEach() {
			return (this.connectionsEach < this.connections) ? this.bytes / 2 : this.bytes;
		}

		/** These limits for a server with a single client address. */
		public SmtpLimits forOneClient() {
			return new SmtpLimits(this.connections, this.connections, this.bytes, this.command, this.block, this.mail,
					this.answer, this.drain, this.idleCommands);
		}

		/** These limits with another number of idle commands. */
		SmtpLimits withIdleCommands(int idleCommands) {
			return new SmtpLimits(this.connections, this.connectionsEach, this.bytes, this.command, this.block,
					this.mail, this.answer, this.drain, idleCommands);
		}

	}

}

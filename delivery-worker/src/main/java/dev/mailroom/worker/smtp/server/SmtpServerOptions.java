package dev.mailroom.worker.smtp.server;

import java.io.File;

import javax.net.ssl.SSLException;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
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
	 * Reads the certificate for STARTTLS; null if no file is configured.
	 * @param certFile certificate chain (PEM)
	 * @param keyFile private key (PEM, PKCS #8)
	 * @param variables prefix of the two environment variables, for the error message
	 */
	public static @Nullable SslContext tls(String certFile, String keyFile, String variables) {
		if (certFile.isBlank()) {
			return null;
		}
		try {
			return SslContextBuilder.forServer(new File(certFile), new File(keyFile)).build();
		}
		catch (SSLException | IllegalArgumentException ex) {
			throw new IllegalStateException(
					variables + "_CERT_FILE and " + variables + "_KEY_FILE must be a certificate and its key in PEM",
					ex);
		}
	}

}

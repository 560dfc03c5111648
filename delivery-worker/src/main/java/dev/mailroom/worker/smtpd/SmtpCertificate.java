package dev.mailroom.worker.smtpd;

import java.io.File;

import javax.net.ssl.SSLException;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import org.jspecify.annotations.Nullable;

/** With what a server does STARTTLS. */
public final class SmtpCertificate {

	private SmtpCertificate() {
	}

	/**
	 * Reads a certificate and its key; null where no file is named.
	 * @param certFile the certificate and what signs it (PEM)
	 * @param keyFile its private key (PEM, PKCS #8)
	 * @param variables what the two are set with begins so
	 */
	public static @Nullable SslContext read(String certFile, String keyFile, String variables) {
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

package dev.mailroom.worker.transport;

import java.nio.file.Path;
import java.time.Duration;

import javax.net.ssl.SSLException;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * How sessions are held, whoever they are with.
 *
 * @param transport which they belong to
 * @param helo the name under which the worker introduces itself
 * @param last whether the server's 250 is the last word on a mail
 * @param connectTimeout for a connection to one address
 * @param replyTimeout for an answer, and for all answers before a mail's body together
 * @param dotTimeout for the answer to the final dot (RFC 5321 4.5.3.2.6)
 */
record SessionOptions(String transport, String helo, boolean last, TlsMode tls, SslContext context,
		Duration connectTimeout, Duration replyTimeout, Duration dotTimeout) {

	/**
	 * What TLS is made with.
	 * @param caFile certificates (PEM) to hold the server's against, where not those of
	 * public authorities
	 */
	static SslContext context(TlsMode tls, @Nullable Path caFile) {
		try {
			SslContextBuilder builder = SslContextBuilder.forClient();
			if (tls == TlsMode.STARTTLS) {
				// Opportunistic: better than clear text, whoever the certificate is of
				// (RFC 7435).
				return builder.trustManager(InsecureTrustManagerFactory.INSTANCE)
					.endpointIdentificationAlgorithm(null)
					.build();
			}
			if (caFile != null && !caFile.toString().isBlank()) {
				builder.trustManager(caFile.toFile());
			}
			return builder.build();
		}
		catch (SSLException ex) {
			throw new IllegalStateException("TLS towards other servers cannot be set up", ex);
		}
	}

}

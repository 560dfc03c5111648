package dev.mailroom.worker.smtp.client;

import java.nio.file.Path;
import java.time.Duration;

import javax.net.ssl.SSLException;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Options of the sessions of one transport.
 *
 * @param transport name of the transport
 * @param helo name sent with EHLO
 * @param last whether a 250 of the server means delivered, and not only sent
 * @param connectTimeout limit on a connection to one address
 * @param replyTimeout limit on one reply, and on all replies before a mail's body
 * together
 * @param dotTimeout limit on the reply to the final dot (RFC 5321 section 4.5.3.2.6)
 */
record SessionOptions(String transport, String helo, boolean last, TlsMode tls, SslContext context,
		Duration connectTimeout, Duration replyTimeout, Duration dotTimeout) {

	/**
	 * Creates the TLS context. {@link TlsMode#STARTTLS} accepts any certificate
	 * (opportunistic security, RFC 7435).
	 * @param caFile trusted certificates (PEM); null or blank for the public authorities
	 */
	public static SslContext context(TlsMode tls, @Nullable Path caFile) {
		try {
			SslContextBuilder builder = SslContextBuilder.forClient();
			if (tls == TlsMode.STARTTLS) {
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
			throw new IllegalStateException("The TLS context for outgoing SMTP cannot be created", ex);
		}
	}

}

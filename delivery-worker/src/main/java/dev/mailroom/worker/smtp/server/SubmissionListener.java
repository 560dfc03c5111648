package dev.mailroom.worker.smtp.server;

import dev.mailroom.Allowed;
import dev.mailroom.worker.smtp.server.SmtpServerOptions.SmtpLimits;
import io.netty.handler.ssl.SslContext;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.stereotype.Component;

/** The listener of the submission server, if it has a port. */
@Component
class SubmissionListener extends ListeningServer {

	/**
	 * 10 MB, the limit of a mail when decoded, in base64 with its line ends and the
	 * header. A client learns from the declared limit that a mail is too large, before it
	 * sends it.
	 */
	private static final int MAX_BYTES = 15 * 1024 * 1024;

	private static final int MAX_RECIPIENTS = 50;

	/**
	 * A listener that is not started.
	 * @param host the address on which the worker listens
	 * @param name the server's name in its greeting
	 */
	SubmissionListener(SubmissionSettings settings, SmtpProxies proxies, SubmissionHandler handler,
			@Value("${server.address:}") String host, @Value("${mailroom.relay.helo}") String name) {
		super(new SmtpServerOptions(host, settings.port(), name, settings.tls(), settings.inClear(), MAX_BYTES,
				MAX_RECIPIENTS, limits(settings.bytes())), handler, "submission", "Mail to be sent",
				proxies.networks());
	}

	private static SmtpLimits limits(long bytes) {
		SmtpLimits defaults = SmtpLimits.usual();
		return new SmtpLimits(defaults.connections(), defaults.connectionsEach(), bytes, defaults.command(),
				defaults.block(), defaults.mail(), defaults.answer(), defaults.drain());
	}

	/**
	 * Settings of the submission server.
	 *
	 * @param port 0 picks a free port, -1 turns the listener off
	 * @param certFile the server's certificate chain (PEM); without one STARTTLS is not
	 * offered
	 * @param keyFile its private key (PEM, PKCS #8)
	 * @param inClear whether API keys are accepted over an unencrypted connection
	 * @param bytes memory for mails being received; above it clients get 452
	 */
	@ConfigurationProperties("mailroom.submission")
	record SubmissionSettings(@DefaultValue("-1") @Allowed(from = "-1", to = "65535") int port,
			@DefaultValue("") String certFile, @DefaultValue("") String keyFile, @DefaultValue("false") boolean inClear,
			@DefaultValue("67108864") @Allowed(from = "26214400", to = "1000000000000") long bytes) {

		@Nullable SslContext tls() {
			return SmtpServerOptions.tls(this.certFile, this.keyFile, "MAILROOM_SUBMISSION");
		}

	}

}

package dev.mailroom.worker.smtp.server;

import io.netty.handler.ssl.SslContext;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

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
record SubmissionSettings(@DefaultValue("-1") int port, @DefaultValue("") String certFile,
		@DefaultValue("") String keyFile, @DefaultValue("false") boolean inClear,
		@DefaultValue("67108864") long bytes) {

	@Nullable SslContext tls() {
		return SmtpServerOptions.tls(this.certFile, this.keyFile, "MAILROOM_SUBMISSION");
	}

}

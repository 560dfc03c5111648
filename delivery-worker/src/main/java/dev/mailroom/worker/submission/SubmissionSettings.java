package dev.mailroom.worker.submission;

import dev.mailroom.worker.smtpd.SmtpServerOptions;
import io.netty.handler.ssl.SslContext;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How mail to be sent comes in.
 *
 * @param port that is listened on; 0 for any, below for none
 * @param certFile the server's certificate and what signs it (PEM); without one STARTTLS
 * is not offered
 * @param keyFile its private key (PEM, PKCS #8)
 * @param inClear whether keys may come in over an open connection
 * @param bytes of mails under way at a time
 */
@ConfigurationProperties("mailroom.submission")
record SubmissionSettings(@DefaultValue("-1") int port, @DefaultValue("") String certFile,
		@DefaultValue("") String keyFile, @DefaultValue("false") boolean inClear,
		@DefaultValue("67108864") long bytes) {

	@Nullable SslContext tls() {
		return SmtpServerOptions.tls(this.certFile, this.keyFile, "MAILROOM_SUBMISSION");
	}

}

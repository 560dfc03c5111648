package dev.mailroom.worker.inbound;

import java.time.Duration;

import dev.mailroom.worker.smtpd.SmtpCertificate;
import io.netty.handler.ssl.SslContext;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How mail comes in, and who looks at it.
 *
 * @param port that is listened on; 0 for any, below for none
 * @param certFile the server's certificate and what signs it (PEM); without one STARTTLS
 * is not offered
 * @param keyFile its private key (PEM, PKCS #8)
 * @param pace the mails that one address may bring in a minute; 0 for any number
 * @param rspamdUrl of the spam filter; nobody looks where it is empty
 * @param rspamdPassword with which it is asked; empty for none
 * @param clamavAddress of the virus scanner, as host:port; nobody looks where it is empty
 * @param scanTimeout for all that looks at a mail: the sender waits meanwhile
 */
@ConfigurationProperties("mailroom.inbound")
record InboundSettings(@DefaultValue("-1") int port, @DefaultValue("") String certFile,
		@DefaultValue("") String keyFile, @DefaultValue("600") int pace, @DefaultValue("") String rspamdUrl,
		@DefaultValue("") String rspamdPassword, @DefaultValue("") String clamavAddress,
		@DefaultValue("30s") Duration scanTimeout) {

	@Nullable SslContext tls() {
		return SmtpCertificate.read(this.certFile, this.keyFile, "MAILROOM_INBOUND");
	}

}

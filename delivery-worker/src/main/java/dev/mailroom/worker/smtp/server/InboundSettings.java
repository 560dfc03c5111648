package dev.mailroom.worker.smtp.server;

import dev.mailroom.Allowed;
import io.netty.handler.ssl.SslContext;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The listener for inbound mail.
 *
 * @param port port of the listener; 0 picks a free one, -1 turns it off
 * @param certFile certificate chain (PEM); STARTTLS is not offered without it
 * @param keyFile private key (PEM, PKCS #8)
 * @param pace mails that one client may send per minute; 0 for no limit
 */
@ConfigurationProperties("mailroom.inbound")
record InboundSettings(@DefaultValue("-1") @Allowed(from = "-1", to = "65535") int port,
		@DefaultValue("") String certFile, @DefaultValue("") String keyFile,
		@DefaultValue("600") @Allowed(from = "1", to = "1000000", or = "0") int pace) {

	@Nullable SslContext tls() {
		return SmtpServerOptions.tls(this.certFile, this.keyFile, "MAILROOM_INBOUND");
	}

}

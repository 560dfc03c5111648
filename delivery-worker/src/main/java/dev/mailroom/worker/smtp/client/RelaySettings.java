package dev.mailroom.worker.smtp.client;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

import dev.mailroom.worker.smtp.client.SessionOpener.SmtpAuth;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The relay that all mail is sent through.
 *
 * @param user user name for AUTH; AUTH is not used if null or blank
 * @param caFile trusted certificates (PEM) if the relay's is not signed by a public
 * authority
 * @param last whether the relay's 250 means delivered, and not only sent
 * @param helo name sent with EHLO
 * @param sessions maximum number of open sessions
 * @param connectTimeout limit on the connection to one address
 * @param openTimeout limit on everything before a session's first mail; must be shorter
 * than a lease
 * @param replyTimeout limit on one reply, and on all replies before a mail's body
 * together
 * @param dotTimeout limit on the reply to the final dot (RFC 5321 section 4.5.3.2.6);
 * with replyTimeout and the time within which a hand-over begins, it must be shorter than
 * the lease of a hand-over
 */
@ConfigurationProperties("mailroom.relay")
record RelaySettings(@DefaultValue("localhost") String host, @DefaultValue("25") int port, @Nullable String user,
		@Nullable String password, @DefaultValue("starttls") TlsMode tls, @Nullable Path caFile,
		@DefaultValue("false") boolean last, @DefaultValue("localhost") String helo, @DefaultValue("20") int sessions,
		@DefaultValue("10s") Duration connectTimeout, @DefaultValue("30s") Duration openTimeout,
		@DefaultValue("3m") Duration replyTimeout, @DefaultValue("10m") Duration dotTimeout) {

	SessionOptions options(String transport, TlsMode tls) {
		return new SessionOptions(transport, this.helo, this.last, tls, SessionOptions.context(tls, this.caFile),
				this.connectTimeout, this.replyTimeout, this.dotTimeout);
	}

	@Nullable SmtpAuth auth() {
		return (this.user == null || this.user.isBlank()) ? null
				: new SmtpAuth(this.user, Objects.requireNonNullElse(this.password, ""));
	}

}

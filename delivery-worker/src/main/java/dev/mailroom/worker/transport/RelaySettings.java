package dev.mailroom.worker.transport;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The relay that all mail goes through.
 *
 * @param user with which it is signed in to; nobody signs in where there is none
 * @param tls how the connection is kept from others
 * @param caFile certificates (PEM) that sign the relay's, where it is not a public
 * authority
 * @param last whether the relay's 250 is the last word on a mail
 * @param helo the name under which the worker introduces itself
 * @param sessions open at a time, at the most
 * @param connectTimeout for the connection to one of its addresses
 * @param openTimeout for all that stands before a session's first mail: less than a
 * lease, which runs meanwhile
 * @param replyTimeout for an answer, and for all answers before a mail's body together
 * @param dotTimeout for the answer to the final dot (RFC 5321 4.5.3.2.6). A mail that is
 * begun while a tenth of its lease has passed must end within the rest: the two together
 * are less
 */
@ConfigurationProperties("mailroom.relay")
record RelaySettings(@DefaultValue("localhost") String host, @DefaultValue("25") int port, @Nullable String user,
		@Nullable String password, @DefaultValue("starttls") TlsMode tls, @Nullable Path caFile,
		@DefaultValue("false") boolean last, @DefaultValue("localhost") String helo, @DefaultValue("20") int sessions,
		@DefaultValue("10s") Duration connectTimeout, @DefaultValue("30s") Duration openTimeout,
		@DefaultValue("3m") Duration replyTimeout, @DefaultValue("10m") Duration dotTimeout) {

	SessionOptions terms(String transport, TlsMode tls) {
		return new SessionOptions(transport, this.helo, this.last, tls, SessionOptions.context(tls, this.caFile),
				this.connectTimeout, this.replyTimeout, this.dotTimeout);
	}

	@Nullable SmtpAuth signIn() {
		return (this.user == null || this.user.isBlank()) ? null
				: new SmtpAuth(this.user, Objects.requireNonNullElse(this.password, ""));
	}

}

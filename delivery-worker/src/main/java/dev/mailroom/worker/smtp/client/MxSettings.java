package dev.mailroom.worker.smtp.client;

import java.nio.file.Path;
import java.time.Duration;

import dev.mailroom.Allowed;
import dev.mailroom.worker.smtp.client.SessionOpener.SessionOptions;
import dev.mailroom.worker.smtp.client.SessionOpener.TlsMode;
import io.netty.handler.ssl.SslContext;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Direct delivery to the recipients' servers. The limits of time for connecting, opening,
 * replies and the final dot are properties for tests, without environment variables.
 *
 * @param port port of the servers; 25 except in tests
 * @param helo name sent with EHLO
 * @param tls starttls (if offered) or required (with a valid certificate)
 * @param caFile trusted certificates (PEM) in place of the public authorities
 * @param privateAddresses whether servers at addresses that are not public are contacted
 * @param profiles whether limits and replies follow the profiles of providers
 * @param sessions maximum number of sessions per site, or per destination without
 * profiles
 * @param rate maximum number of mails per second, account and destination
 * @param breakFor time for which a destination is not contacted after repeated failures
 * @param mtaSts whether policies of recipients' domains about TLS apply (RFC 8461)
 * @param policyPort port of the hosts of such policies; 443 except in tests
 * @param connectTimeout limit on the connection to one address
 * @param openTimeout limit on everything before a session's first mail; must be shorter
 * than a lease
 * @param replyTimeout limit on one reply, and on all replies before a mail's body
 * together
 * @param dotTimeout limit on the reply to the final dot
 */
@ConfigurationProperties("mailroom.mx")
record MxSettings(@DefaultValue("25") @Allowed(from = "1", to = "65535") int port,
		@DefaultValue("localhost") String helo, @DefaultValue("starttls") TlsMode tls, @Nullable Path caFile,
		@DefaultValue("false") boolean privateAddresses, @DefaultValue("on") boolean profiles,
		@DefaultValue("20") @Allowed(from = "1", to = "1000") int sessions,
		@DefaultValue("100") @Allowed(from = "1", to = "1000000") int rate,
		@DefaultValue("30s") @Allowed(from = "1s", to = "1h") Duration breakFor, @DefaultValue("on") boolean mtaSts,
		@DefaultValue("443") int policyPort, @DefaultValue("5s") Duration connectTimeout,
		@DefaultValue("30s") Duration openTimeout, @DefaultValue("3m") Duration replyTimeout,
		@DefaultValue("10m") Duration dotTimeout) {

	/** Options of a session; the recipient's own server replies last. */
	SessionOptions options(String transport, TlsMode tls) {
		return options(transport, tls, SessionOptions.context(tls, this.caFile), null);
	}

	/** Options of a session with trust of its own. */
	SessionOptions options(String transport, TlsMode tls, SslContext context, @Nullable String serverName) {
		return new SessionOptions(transport, this.helo, true, tls, context, serverName, this.connectTimeout,
				this.replyTimeout, this.dotTimeout);
	}

	/** Minimum time for one address: a silent server leaves time for others. */
	Duration addressTimeout() {
		return this.openTimeout.dividedBy(3);
	}

}

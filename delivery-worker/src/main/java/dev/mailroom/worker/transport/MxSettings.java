package dev.mailroom.worker.transport;

import java.nio.file.Path;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How mail goes straight to its recipients' servers.
 *
 * @param port that they listen on; 25, but for tests
 * @param helo the name under which the worker introduces itself
 * @param tls starttls (where it is offered) or required (with a certificate that holds)
 * @param caFile certificates (PEM) that theirs are held against, where not public ones
 * @param privateAddresses whether servers at addresses that are not public are spoken to
 * @param sessions with one destination at a time, at the most
 * @param rate mails a second of one account to one destination, at the most
 * @param breakFor how long a destination that failed repeatedly is left alone
 * @param connectTimeout for the connection to one address
 * @param openTimeout for all that stands before a session's first mail: less than a lease
 * @param replyTimeout for an answer, and for all answers before a mail's body together
 * @param dotTimeout for the answer to the final dot
 */
@ConfigurationProperties("mailroom.mx")
record MxSettings(@DefaultValue("25") int port, @DefaultValue("localhost") String helo,
		@DefaultValue("starttls") TlsMode tls, @Nullable Path caFile, @DefaultValue("false") boolean privateAddresses,
		@DefaultValue("20") int sessions, @DefaultValue("100") int rate, @DefaultValue("30s") Duration breakFor,
		@DefaultValue("5s") Duration connectTimeout, @DefaultValue("30s") Duration openTimeout,
		@DefaultValue("3m") Duration replyTimeout, @DefaultValue("10m") Duration dotTimeout) {

	/** The recipient's own server has the last word. */
	SessionOptions terms(String transport, TlsMode tls) {
		return new SessionOptions(transport, this.helo, true, tls, SessionOptions.context(tls, this.caFile),
				this.connectTimeout, this.replyTimeout, this.dotTimeout);
	}

	/** So that one server that says nothing leaves time for the next. */
	Duration addressTimeout() {
		return this.openTimeout.dividedBy(3);
	}

}

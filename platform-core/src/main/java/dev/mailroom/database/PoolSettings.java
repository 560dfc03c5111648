package dev.mailroom.database;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.mailroom.Allowed;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Connections of an app to the database and their time limits. Of the limits, only that
 * of a statement has an environment variable; the others are properties for tests.
 *
 * @param connections the largest number of connections for reactive work, such as
 * requests
 * @param threadConnections the largest number of connections for threads that wait for
 * their statements, such as deliveries and jobs
 * @param listConnections the largest number of connections for lists and searches
 * @param connectTimeout limit for opening a connection, and for waiting for a free one
 * @param lockTimeout limit for waiting for a lock
 * @param statementTimeout limit for a statement
 * @param listTimeout limit for a statement of a list or search
 * @param idleTimeout limit for the time between two statements of a transaction
 * @param transactionTimeout limit for a transaction
 * @param accepting limits for the commits of accepted mail
 * @param replicaUrl address of standbys that serve lists and searches; empty for none
 */
@ConfigurationProperties("mailroom.database")
record PoolSettings(@DefaultValue("10") @Allowed(from = "1", to = "1000") int connections,
		@DefaultValue("10") @Allowed(from = "1", to = "1000") int threadConnections,
		@DefaultValue("6") @Allowed(from = "1", to = "1000") int listConnections,
		@DefaultValue("10s") Duration connectTimeout, @DefaultValue("5s") Duration lockTimeout,
		@DefaultValue("30s") @Allowed(from = "1s", to = "10m") Duration statementTimeout,
		@DefaultValue("10s") Duration listTimeout, @DefaultValue("30s") Duration idleTimeout,
		@DefaultValue("60s") Duration transactionTimeout, @DefaultValue Accepting accepting,
		@DefaultValue("") String replicaUrl) {

	/** Time for the server's own limits to act before the client closes a connection. */
	private static final Duration GRACE = Duration.ofSeconds(2);

	/** The settings of a session of this share. */
	Map<String, String> session(Share share) {
		return session(this.lockTimeout, statementTimeout(share), this.idleTimeout, transactionTimeout(share));
	}

	/** The settings of a session that commits accepted mail. */
	Map<String, String> commitSession() {
		Duration timeout = this.accepting.timeout();
		return session(this.accepting.lockTimeout(), timeout, min(timeout, this.idleTimeout), timeout);
	}

	private static Map<String, String> session(Duration lockTimeout, Duration statementTimeout, Duration idleTimeout,
			Duration transactionTimeout) {
		Map<String, String> session = new LinkedHashMap<>();
		session.put("lock_timeout", millis(lockTimeout));
		session.put("statement_timeout", millis(statementTimeout));
		session.put("idle_in_transaction_session_timeout", millis(idleTimeout));
		// PostgreSQL 17 and later.
		session.put("transaction_timeout", millis(transactionTimeout));
		// The server detects a dead client within half a minute; by default that takes
		// hours.
		session.put("tcp_keepalives_idle", "10");
		session.put("tcp_keepalives_interval", "5");
		session.put("tcp_keepalives_count", "3");
		session.put("tcp_user_timeout", "25000");
		// Before PostgreSQL 18, enable_seqscan = off adds so much to the cost of a plan
		// that it is compiled, for a second, each time it runs.
		session.put("jit", "off");
		return session;
	}

	/** Time after which the client closes a connection that is still in use. */
	Duration maxUse(Share share) {
		return transactionTimeout(share).plus(GRACE);
	}

	/** Time after which the client closes a connection whose statement has not ended. */
	Duration maxStatementTime() {
		return this.statementTimeout.plus(GRACE);
	}

	/** As {@link #maxStatementTime()}, for a commit of accepted mail. */
	Duration maxCommitTime() {
		return this.accepting.timeout().plus(GRACE);
	}

	private Duration statementTimeout(Share share) {
		return (share == Share.LISTS) ? this.listTimeout : this.statementTimeout;
	}

	private Duration transactionTimeout(Share share) {
		return (share == Share.LISTS) ? min(this.listTimeout.multipliedBy(2), this.transactionTimeout)
				: this.transactionTimeout;
	}

	private static Duration min(Duration one, Duration other) {
		return (one.compareTo(other) <= 0) ? one : other;
	}

	private static String millis(Duration limit) {
		return Long.toString(limit.toMillis());
	}

	/**
	 * Limits for the commits of accepted mail.
	 *
	 * @param lockTimeout limit for waiting for a lock: the other requests of the group
	 * wait as well
	 * @param timeout limit for a commit with all of its statements
	 */
	record Accepting(@DefaultValue("1s") Duration lockTimeout, @DefaultValue("10s") Duration timeout) {
	}

}

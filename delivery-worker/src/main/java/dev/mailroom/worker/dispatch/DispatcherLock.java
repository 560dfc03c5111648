package dev.mailroom.worker.dispatch;

import java.time.Duration;

import dev.mailroom.AcrossAccounts;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.postgresql.api.PostgresqlConnection;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Wrapped;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Repository;

/**
 * A connection of the dispatcher's own, outside the pool: it holds the lock that makes
 * this dispatcher the one at work, and hears the doorbell. Both are gone with it.
 */
@Repository
@AcrossAccounts("a lock and a bell; no row is read")
class DispatcherLock {

	/** Any number that nobody else locks: MAILROOM on a telephone's keys. */
	private static final long LOCK = 62_457_666L;

	private static final Duration STAND_BY = Duration.ofSeconds(1);

	/**
	 * Where this machine is gone without a word the server notices, and lets the lock go:
	 * by itself it would after hours.
	 */
	private static final String KEEP_ALIVE = """
			select set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
			       set_config('tcp_keepalives_count', '3', false), set_config('tcp_user_timeout', '25s', false)
			""";

	private final ConnectionFactory connections;

	DispatcherLock(ConnectionFactory connections) {
		this.connections = (connections instanceof ConnectionPool pool) ? pool.unwrap() : connections;
	}

	/**
	 * Stands by until the lock is free, and holds it until cancelled. It says
	 * {@code true} once when it has the lock, and then for each ring.
	 */
	Flux<Boolean> rings() {
		return Flux.usingWhen(this.connections.create(), this::watch, Connection::close);
	}

	private Flux<Boolean> watch(Connection raw) {
		PostgresqlConnection connection = postgresql(raw);
		Flux<Boolean> heard = connection.getNotifications().map((_) -> true);
		Mono<Boolean> listening = connection.createStatement("listen mailroom_due").execute().then().thenReturn(true);
		Mono<Void> keptAlive = connection.createStatement(KEEP_ALIVE)
			.execute()
			.flatMap((result) -> result.map((_) -> true))
			.then();
		return keptAlive.then(locked(connection)).thenMany(Flux.merge(heard, listening));
	}

	private static Mono<Boolean> locked(PostgresqlConnection connection) {
		return connection.createStatement("select pg_try_advisory_lock(" + LOCK + ")")
			.execute()
			.flatMap((result) -> result.map((row) -> Boolean.TRUE.equals(row.get(0, Boolean.class))))
			.next()
			.filter(Boolean::booleanValue)
			.repeatWhenEmpty((tries) -> tries.delayElements(STAND_BY));
	}

	private static PostgresqlConnection postgresql(Connection connection) {
		if (connection instanceof PostgresqlConnection own) {
			return own;
		}
		if (connection instanceof Wrapped<?> wrapped && wrapped.unwrap() instanceof Connection inner) {
			return postgresql(inner);
		}
		throw new IllegalStateException("The queue needs a connection to PostgreSQL, not a " + connection.getClass());
	}

}

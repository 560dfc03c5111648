package dev.mailroom.worker.dispatch;

import java.time.Duration;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.fleet.Workers;
import dev.mailroom.pool.Pools;
import io.r2dbc.postgresql.api.PostgresqlConnection;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.Wrapped;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Repository;

/**
 * A database connection outside of the pool that holds the advisory lock of the active
 * dispatcher and listens to the doorbell. Both end with the connection.
 */
@Repository
@AcrossAccounts("an advisory lock and notifications; no rows are read")
class DispatcherLock {

	private static final Duration RETRY_INTERVAL = Duration.ofSeconds(1);

	/** Limit on each statement: the connection has no other limit on this side. */
	private static final Duration STATEMENT_TIMEOUT = Duration.ofSeconds(5);

	private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(15);

	/** Interval of checks of the connection that holds the lock. */
	private static final Duration CHECK_INTERVAL = Duration.ofSeconds(10);

	private final Pools connections;

	DispatcherLock(Pools connections) {
		this.connections = connections;
	}

	/**
	 * Waits for the lock and holds it until cancelled. Emits {@code true} when the lock
	 * is acquired, and then for each ring of the doorbell. Fails if the connection does
	 * not reply, because another worker may then hold the lock.
	 */
	Flux<Boolean> rings() {
		return Flux.usingWhen(this.connections.createUnpooled().timeout(CONNECT_TIMEOUT), this::acquire,
				(connection) -> Mono.from(connection.close()).timeout(STATEMENT_TIMEOUT).onErrorComplete());
	}

	private Flux<Boolean> acquire(Connection raw) {
		PostgresqlConnection connection = postgresql(raw);
		Flux<Boolean> notifications = connection.getNotifications().map((_) -> true);
		Mono<Boolean> listening = connection.createStatement("listen mailroom_due")
			.execute()
			.then()
			.timeout(STATEMENT_TIMEOUT)
			.thenReturn(true);
		Flux<Boolean> checks = Flux.interval(CHECK_INTERVAL)
			.onBackpressureDrop()
			.concatMap((_) -> value(connection, "select true").then(Mono.<Boolean>empty()), 1);
		return locked(connection).thenMany(Flux.merge(notifications, listening, checks));
	}

	private static Mono<Boolean> locked(PostgresqlConnection connection) {
		return value(connection, "select pg_try_advisory_lock(" + Workers.DISPATCHER_LOCK + ")")
			.filter(Boolean::booleanValue)
			.repeatWhenEmpty((tries) -> tries.delayElements(RETRY_INTERVAL));
	}

	private static Mono<Boolean> value(PostgresqlConnection connection, String sql) {
		return connection.createStatement(sql)
			.execute()
			.flatMap((result) -> result.map((row) -> Boolean.TRUE.equals(row.get(0, Boolean.class))))
			.next()
			.timeout(STATEMENT_TIMEOUT);
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

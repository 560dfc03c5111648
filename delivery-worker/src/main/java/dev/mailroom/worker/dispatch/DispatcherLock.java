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

	private final Pools connections;

	DispatcherLock(Pools connections) {
		this.connections = connections;
	}

	/**
	 * Waits for the lock and holds it until cancelled. Emits {@code true} when the lock
	 * is acquired, and then for each ring of the doorbell.
	 */
	Flux<Boolean> rings() {
		return Flux.usingWhen(this.connections.createUnpooled(), this::acquire, Connection::close);
	}

	private Flux<Boolean> acquire(Connection raw) {
		PostgresqlConnection connection = postgresql(raw);
		Flux<Boolean> notifications = connection.getNotifications().map((_) -> true);
		Mono<Boolean> listening = connection.createStatement("listen mailroom_due").execute().then().thenReturn(true);
		return locked(connection).thenMany(Flux.merge(notifications, listening));
	}

	private static Mono<Boolean> locked(PostgresqlConnection connection) {
		return connection.createStatement("select pg_try_advisory_lock(" + Workers.DISPATCHER_LOCK + ")")
			.execute()
			.flatMap((result) -> result.map((row) -> Boolean.TRUE.equals(row.get(0, Boolean.class))))
			.next()
			.filter(Boolean::booleanValue)
			.repeatWhenEmpty((tries) -> tries.delayElements(RETRY_INTERVAL));
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

package dev.mailroom.worker.dispatch;

import java.time.Duration;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.database.Pools;
import dev.mailroom.operator.Workers;
import io.r2dbc.postgresql.api.PostgresqlConnection;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.Wrapped;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Repository;

/**
 * A database connection outside of the pool that holds the advisory lock of the active
 * dispatcher and listens to the doorbell. Both end with the connection. It also listens
 * to announcements of work and of stops, before it has the lock as well.
 */
@Repository
@AcrossAccounts("an advisory lock and notifications; no rows are read")
class DispatcherLock {

	/** Notified after commits of mail that is due. */
	private static final String DOORBELL = "mailroom_due";

	/** Notified by triggers, after rare changes that give the workers something to do. */
	private static final String WORK = "mailroom_work";

	/** Notified by triggers, when mail that passed the fence may have to stop. */
	private static final String STOP = "mailroom_stop";

	private static final Duration RETRY_INTERVAL = Duration.ofSeconds(1);

	/** Limit on each statement: the connection has no other limit on this side. */
	private static final Duration STATEMENT_TIMEOUT = Duration.ofSeconds(5);

	private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(15);

	/** Interval of checks of the connection that holds the lock. */
	private static final Duration CHECK_INTERVAL = Duration.ofSeconds(10);

	private final Pools connections;

	private final WorkLoops loops;

	DispatcherLock(Pools connections, WorkLoops loops) {
		this.connections = connections;
		this.loops = loops;
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
		// Work may have been announced while there was no connection.
		Flux<Boolean> work = notifications(connection, WORK).mergeWith(listen(connection, WORK))
			.doOnNext((_) -> this.loops.announce())
			.filter((_) -> false);
		Flux<Boolean> stops = notifications(connection, STOP).mergeWith(listen(connection, STOP))
			.doOnNext((_) -> this.loops.announceStop())
			.filter((_) -> false);
		Flux<Boolean> checks = Flux.interval(CHECK_INTERVAL)
			.onBackpressureDrop()
			.concatMap((_) -> value(connection, "select true").then(Mono.<Boolean>empty()), 1);
		Flux<Boolean> rings = Flux.merge(notifications(connection, DOORBELL), listen(connection, DOORBELL), checks);
		return Flux.merge(work, stops, locked(connection).thenMany(rings));
	}

	private static Flux<Boolean> notifications(PostgresqlConnection connection, String channel) {
		return connection.getNotifications().filter((it) -> it.getName().equals(channel)).map((_) -> true);
	}

	private static Mono<Boolean> listen(PostgresqlConnection connection, String channel) {
		return connection.createStatement("listen " + channel)
			.execute()
			.then()
			.timeout(STATEMENT_TIMEOUT)
			.thenReturn(true);
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

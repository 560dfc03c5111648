package dev.mailroom.database;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import dev.mailroom.Await;
import dev.mailroom.DatabaseProxy;
import dev.mailroom.TestDatabase;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.Option;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.TransactionDefinition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.transaction.reactive.TransactionalOperator;

import static org.assertj.core.api.Assertions.assertThat;

@Execution(ExecutionMode.CONCURRENT)
class PoolsTest {

	private static final Duration SHORT = Duration.ofMillis(500);

	private final DatabaseProxy proxy = DatabaseProxy.start();

	private final ConnectionFactoryOptions options = ConnectionFactoryOptions.parse("r2dbc:" + this.proxy.url())
		.mutate()
		.option(ConnectionFactoryOptions.USER, TestDatabase.APP)
		.option(ConnectionFactoryOptions.PASSWORD, TestDatabase.PASSWORD)
		.build();

	private final Failover failover = new Failover();

	private final Pools pools = new Pools(List.of(this.options),
			new PoolSettings(3, 1, 1, Duration.ofSeconds(6), SHORT, Duration.ofSeconds(5), SHORT, Duration.ofSeconds(3),
					Duration.ofSeconds(2), new PoolSettings.Accepting(SHORT, Duration.ofSeconds(1)), ""),
			this.failover);

	@AfterEach
	void close() throws Exception {
		for (Share share : Share.values()) {
			this.pools.pool(share).dispose();
		}
		this.proxy.close();
	}

	@Test
	void aSessionHasTheLimitsOfItsShareAndIgnoresUnknownOnes() {
		assertThat(settings(Share.WORK)).containsExactly("500ms", "5s", "3s");
		assertThat(settings(Share.LISTS)).containsExactly("500ms", "500ms", "3s");
		assertThat(settings(Share.NOTIFICATIONS)).containsExactly("500ms", "5s", "3s");
		assertThat(value(Share.WORK, "show tcp_keepalives_idle")).isEqualTo("10");
		assertThat(value(Share.WORK, "select coalesce((select setting || unit from pg_settings "
				+ "where name = 'transaction_timeout'), '2000ms')"))
			.isEqualTo("2000ms");
		LimitedConnections unknown = new LimitedConnections(ConnectionFactories.get(this.options),
				Map.of("no_such_setting", "1", "lock_timeout", "7"),
				(connection) -> new LimitedConnection(connection, SHORT, () -> {
				}));
		Mono<String> known = Mono.usingWhen(unknown.create(), (it) -> first(it, "show lock_timeout"),
				Connection::close);
		assertThat(Await.await(known)).isEqualTo("7ms");
	}

	@Test
	void statementsOnAFrozenDatabaseEndAndThePoolRecovers() {
		assertThat(value(Share.WORK, "select 'ready'")).isEqualTo("ready");
		this.proxy.freeze();
		List<Mono<String>> waiting = IntStream.range(0, 8)
			.mapToObj((_) -> query(Share.WORK, "select 'done'").onErrorResume((_) -> Mono.just("failed")))
			.toList();
		assertThat(Await.await(Flux.merge(waiting).collectList())).hasSize(8).containsOnly("failed");
		this.proxy.thaw();
		recovers();
	}

	@Test
	void aTransactionThatACallerGaveUpOnAFrozenDatabaseReturnsItsConnection() {
		for (int i = 0; i < 3; i++) {
			Mono<String> work = Mono.usingWhen(this.pools.create(),
					(it) -> Mono.from(it.beginTransaction())
						.then(Mono.fromRunnable(this.proxy::freeze))
						.then(first(it, "select 'done'"))
						.timeout(Duration.ofMillis(200)),
					(it) -> Mono.from(it.rollbackTransaction()).onErrorComplete().then(Mono.from(it.close())));
			assertThat(Await.await(work.onErrorReturn("failed"))).isEqualTo("failed");
			this.proxy.thaw();
		}
		recovers();
	}

	@Test
	void aConnectionWhoseStatementWasCancelledIsReplacedIfTheStatementStillRuns() {
		String before = value(Share.WORK, "select pg_backend_pid()::text");
		String other = Await.await(query(Share.WORK, "select pg_sleep(20)::text").timeout(Duration.ofMillis(100))
			.onErrorReturn("cancelled"));
		assertThat(other).isEqualTo("cancelled");
		assertThat(value(Share.WORK, "select pg_backend_pid()::text")).isNotEqualTo(before);
	}

	@Test
	void slowListsLeaveTheOtherConnectionsFreeAndEndByTheirLimit() {
		Mono<String> slow = query(Share.LISTS, "select pg_sleep(30)::text").onErrorResume(R2dbcException.class,
				(error) -> Mono.justOrEmpty(error.getSqlState()));
		List<String> results = Await.await(
				Flux.merge(slow, query(Share.NOTIFICATIONS, "select 'notified'"), query(Share.WORK, "select 'worked'"))
					.collectList());
		assertThat(results).containsExactlyInAnyOrder("notified", "worked", "57014").last().isEqualTo("57014");
	}

	@Test
	void connectionsClosedByTheServerAreReplaced() {
		assertThat(Await.await(Flux.range(0, 3)
			.flatMap((_) -> query(Share.WORK, "select pg_sleep(0.1)::text || 'done'"))
			.collectList())).hasSize(3);
		this.proxy.cutAll();
		recovers();
	}

	@Test
	void aServerThatIsStoppedIsLeftAtOnceByAllConnectionsAndOtherErrorsLeaveThem() {
		String before = value(Share.LISTS, "select pg_backend_pid()::text");
		this.failover.check(new IllegalStateException(new R2dbcNonTransientResourceException("duplicate", "23505")));
		assertThat(value(Share.LISTS, "select pg_backend_pid()::text")).isEqualTo(before);
		this.failover.check(new IllegalStateException(new R2dbcNonTransientResourceException("stopped", "57P01")));
		assertThat(value(Share.LISTS, "select pg_backend_pid()::text")).isNotEqualTo(before);
	}

	@Test
	void aTransactionBeginsWithItsSettings() {
		UUID account = UUID.randomUUID();
		String seen = Await.await(Mono
			.usingWhen(this.pools.create(),
					(it) -> Mono.from(it.beginTransaction(new NoDefinition()))
						.then(first(it, "select current_setting('app.account_ids') || current_setting('lock_timeout')"))
						.delayUntil((_) -> it.commitTransaction()),
					Connection::close)
			.contextWrite((context) -> context.put(Pools.SETTINGS,
					"set local app.account_ids = '" + account + "'; set local lock_timeout = 9")));
		assertThat(seen).isEqualTo(account + "9ms");
		assertThat(value(Share.WORK, "select coalesce(current_setting('app.account_ids', true), '')")).isEmpty();
	}

	@Test
	void aTransactionWhoseSettingsAreRejectedLeavesNothingOpen() {
		Mono<String> failing = Mono.usingWhen(this.pools.create(),
				(it) -> Mono.from(it.beginTransaction(new NoDefinition())).then(Mono.just("begun")), Connection::close)
			.contextWrite((context) -> context.put(Pools.SETTINGS, "set local role no_such_role"))
			.onErrorReturn("rejected");
		for (int i = 0; i < 4; i++) {
			assertThat(Await.await(failing)).isEqualTo("rejected");
			assertThat(value(Share.WORK, "select 'free'")).isEqualTo("free");
		}
	}

	@Test
	void aTransactionCancelledWhileItBeginsIsNotLeftOpenInThePool() {
		TransactionalOperator transaction = TransactionalOperator.create(new R2dbcTransactionManager(this.pools));
		for (int i = 0; i < 300; i++) {
			Disposable running = transaction.transactional(Mono.delay(SHORT))
				.contextWrite((context) -> context.put(Pools.SETTINGS, "set local lock_timeout = 9"))
				.onErrorComplete()
				.subscribe();
			LockSupport.parkNanos(i * 20_000L);
			running.dispose();
		}
		recovers();
		List<String> states = Await.await(Flux.range(0, 3)
			.flatMap((_) -> query(Share.WORK,
					"select (now() < statement_timestamp())::text || current_setting('lock_timeout') from pg_sleep(0.5)"))
			.collectList());
		assertThat(states).hasSize(3).containsOnly("false500ms");
	}

	private void recovers() {
		Await.until("all connections can be used again",
				() -> List.of("done", "done", "done")
					.equals(Flux.range(0, 3)
						.flatMap((_) -> query(Share.WORK, "select 'done' from pg_sleep(0.1)"))
						.collectList()
						.onErrorReturn(List.of())
						.block()));
	}

	private List<String> settings(Share share) {
		return List.of(value(share, "show lock_timeout"), value(share, "show statement_timeout"),
				value(share, "show idle_in_transaction_session_timeout"));
	}

	private String value(Share share, String sql) {
		return Await.await(query(share, sql));
	}

	private Mono<String> query(Share share, String sql) {
		return Mono.usingWhen(this.pools.create(), (connection) -> first(connection, sql), Connection::close)
			.contextWrite((context) -> context.put(Share.class, share));
	}

	private static Mono<String> first(Connection connection, String sql) {
		return Flux.from(connection.createStatement(sql).execute())
			.flatMap((result) -> result.map((row, _) -> String.valueOf(row.get(0, String.class))))
			.last("");
	}

	/** A transaction with the defaults of the session. */
	private static final class NoDefinition implements TransactionDefinition {

		@Override
		public <T> T getAttribute(Option<T> option) {
			return null;
		}

	}

}

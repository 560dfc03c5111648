package dev.mailroom.database;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import dev.mailroom.Await;
import dev.mailroom.DatabaseProxy;
import dev.mailroom.TestDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.TransactionException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

@Execution(ExecutionMode.CONCURRENT)
class JdbcPoolTest {

	private static final Duration SHORT = Duration.ofMillis(500);

	private static final SqlStatement SETTINGS = SqlStatement.of("select 1");

	private final DatabaseProxy proxy = DatabaseProxy.start();

	private final PoolSettings settings = new PoolSettings(1, 1, 1, Duration.ofSeconds(6), SHORT, SHORT, SHORT, SHORT,
			SHORT, new PoolSettings.Accepting(SHORT, Duration.ofSeconds(1)), "");

	private final JdbcPool pool = new JdbcPool("test",
			new JdbcConnections(DatabaseUrl.parse(this.proxy.url()),
					new DatabaseUrl.Login(TestDatabase.APP, TestDatabase.PASSWORD), this.settings.commitSession(),
					this.settings.connectTimeout(), this.settings.maxCommitTime()),
			this.settings.connectTimeout(), 1, new Failover());

	@AfterEach
	void close() throws Exception {
		this.pool.close();
		this.proxy.close();
	}

	@Test
	void aSessionHasTheLimitsOfCommits() {
		assertThat(List.of("lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout",
				"tcp_keepalives_idle"))
			.extracting((name) -> value("show " + name))
			.containsExactly("500ms", "1s", "500ms", "10");
	}

	@Test
	void noStatementIsCompiledWhateverTheServersSettingIs() {
		assertThat(value("show jit")).isEqualTo("off");
	}

	@Test
	void anArrayOfIdsIsSentWithItsNulls() {
		UUID id = UUID.randomUUID();
		for (UUID[] ids : List.of(new UUID[] { id, null, UUID.randomUUID() }, new UUID[] { id }, new UUID[0])) {
			SqlStatement statement = SqlStatement.of("select id::text from unnest(:ids::uuid[]) as given(id)")
				.bind("ids", ids);
			List<String> sent = this.pool.inTransaction(SETTINGS,
					(jdbc) -> statement.list(jdbc, (row) -> String.valueOf(row.get("id", String.class))));
			assertThat(sent).isEqualTo(Stream.of(ids).map(String::valueOf).toList());
		}
	}

	@Test
	void aStatementEndsByItsLimitAndThePoolCanBeUsedAgain() {
		assertThat(catchThrowable(() -> value("select pg_sleep(20)::text"))).isInstanceOfAny(DataAccessException.class,
				TransactionException.class);
		assertThat(value("select 'free'")).isEqualTo("free");
	}

	@Test
	void aTransactionOnAFrozenDatabaseEndsAndThePoolRecovers() {
		assertThat(value("select 'ready'")).isEqualTo("ready");
		Throwable failure = catchThrowable(() -> this.pool.inTransaction(SETTINGS, (jdbc) -> {
			this.proxy.freeze();
			return first(jdbc, "select 'done'");
		}));
		assertThat(failure).isInstanceOfAny(DataAccessException.class, TransactionException.class);
		this.proxy.thaw();
		recovers();
	}

	@Test
	void connectionsClosedByTheServerAreReplaced() {
		assertThat(value("select 'ready'")).isEqualTo("ready");
		this.proxy.cutAll();
		assertThat(value("select 'done'")).isEqualTo("done");
	}

	@Test
	void aServerThatIsReadOnlyIsLeftAtOnceByAllConnections() {
		String before = value("select pg_backend_pid()::text");
		assertThat(value("select pg_backend_pid()::text")).isEqualTo(before);
		Throwable failure = catchThrowable(() -> this.pool.inTransaction(SETTINGS, (jdbc) -> {
			jdbc.sql("set local transaction_read_only = on").update();
			return jdbc.sql("create table written ()").update();
		}));
		assertThat(SqlState.of(failure)).isEqualTo("25006");
		assertThat(value("select pg_backend_pid()::text")).isNotEqualTo(before);
	}

	private void recovers() {
		Await.until("the connection can be used again", () -> {
			try {
				return "done".equals(value("select 'done'"));
			}
			catch (DataAccessException | TransactionException _) {
				return false;
			}
		});
	}

	private String value(String sql) {
		return this.pool.inTransaction(SETTINGS, (jdbc) -> first(jdbc, sql));
	}

	private static String first(JdbcClient jdbc, String sql) {
		return jdbc.sql(sql).query(String.class).single();
	}

}

package dev.mailroom.database;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import com.google.common.net.HostAndPort;
import dev.mailroom.Await;
import dev.mailroom.DatabaseProxy;
import dev.mailroom.TestDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Connections of both drivers to one of two hosts; the first is behind a proxy. */
@Execution(ExecutionMode.CONCURRENT)
class HostConnectionsTest {

	private static final DatabaseUrl.Login LOGIN = new DatabaseUrl.Login(TestDatabase.APP, TestDatabase.PASSWORD);

	private static final Duration LIMIT = Duration.ofSeconds(6);

	private final DatabaseProxy proxy = DatabaseProxy.start();

	private final HostAndPort first = DatabaseUrl.parse(this.proxy.url()).hosts().getFirst();

	private final DatabaseUrl second = DatabaseUrl.parse(TestDatabase.URL);

	@AfterEach
	void close() throws Exception {
		this.proxy.close();
	}

	@Test
	void theNextHostIsUsedWhileOneIsFrozenOrGone() throws SQLException {
		DatabaseUrl both = url(this.first, this.second.hosts().getFirst());
		JdbcConnections jdbc = jdbc(both);
		HostConnections r2dbc = new HostConnections(both.r2dbc(LOGIN), LIMIT);
		this.proxy.freeze();
		assertThat(answer(jdbc)).isEqualTo("1");
		assertThat(answer(r2dbc)).isEqualTo("1");
		this.proxy.thaw();
		this.proxy.setDown(true);
		assertThat(answer(jdbc(both))).isEqualTo("1");
		assertThat(answer(new HostConnections(both.r2dbc(LOGIN), LIMIT))).isEqualTo("1");
	}

	@Test
	void aReadOnlyHostIsNotUsedIfThereAreOthers() {
		TestDatabase.execute("postgres", "create database frozen_state");
		TestDatabase.execute("postgres", "alter database frozen_state set default_transaction_read_only = on");
		HostAndPort host = this.second.hosts().getFirst();
		DatabaseUrl twice = new DatabaseUrl(url(host, host).hosts(), "frozen_state", this.second.parameters());
		assertThatThrownBy(() -> answer(jdbc(twice))).hasMessageContaining("read-only");
		HostConnections r2dbc = new HostConnections(twice.r2dbc(LOGIN), LIMIT);
		assertThatThrownBy(() -> answer(r2dbc)).hasMessageContaining("read-only");
	}

	private DatabaseUrl url(HostAndPort... hosts) {
		return new DatabaseUrl(List.of(hosts), this.second.database(), this.second.parameters());
	}

	private static JdbcConnections jdbc(DatabaseUrl url) {
		return new JdbcConnections(url, LOGIN, Map.of("lock_timeout", "5000"), LIMIT, LIMIT);
	}

	private static String answer(JdbcConnections connections) throws SQLException {
		try (Connection connection = connections.getConnection();
				ResultSet rows = connection.createStatement().executeQuery("select 1")) {
			rows.next();
			return rows.getString(1);
		}
	}

	private static String answer(HostConnections connections) {
		return Await.await(Mono.usingWhen(connections.create(),
				(connection) -> Flux.from(connection.createStatement("select '1'").execute())
					.flatMap((result) -> result.map((row) -> String.valueOf(row.get(0, String.class))))
					.single(),
				(connection) -> connection.close()));
	}

}

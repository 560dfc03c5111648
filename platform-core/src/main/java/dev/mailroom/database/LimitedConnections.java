package dev.mailroom.database;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.Result;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Opens connections with the time limits of a share. Settings that the server does not
 * have, because it is older, are left out.
 */
final class LimitedConnections implements ConnectionFactory {

	private final ConnectionFactory driver;

	private final String settings;

	private final Function<Connection, LimitedConnection> limit;

	LimitedConnections(ConnectionFactory driver, Map<String, String> settings,
			Function<Connection, LimitedConnection> limit) {
		this.driver = driver;
		this.settings = limits(settings);
		this.limit = limit;
	}

	/** The statement that sets the limits of a session. */
	static String limits(Map<String, String> settings) {
		return settings.entrySet()
			.stream()
			.map((setting) -> "('" + setting.getKey() + "', '" + setting.getValue() + "')")
			.collect(Collectors.joining(", ", "select set_config(name, value, false) from (values ",
					") as wanted(name, value) join pg_settings using (name)"));
	}

	@Override
	public Mono<Connection> create() {
		return Mono.from(this.driver.create()).flatMap(this::prepare);
	}

	/**
	 * Sets the session's limits; a connection that fails, or is no longer needed, is
	 * closed.
	 */
	private Mono<Connection> prepare(Connection connection) {
		LimitedConnection limited = this.limit.apply(connection);
		return Flux.from(connection.createStatement(this.settings).execute())
			.flatMap(Result::getRowsUpdated)
			.then(Mono.<Connection>just(limited))
			.doOnCancel(limited::abort)
			.doOnError((_) -> limited.abort());
	}

	@Override
	public ConnectionFactoryMetadata getMetadata() {
		return this.driver.getMetadata();
	}

}

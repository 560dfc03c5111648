package dev.mailroom.database;

import java.time.Duration;
import java.util.List;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.Option;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcTimeoutException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Opens R2DBC connections to the host that accepts writes, as {@link JdbcConnections}
 * does.
 */
final class HostConnections implements ConnectionFactory {

	private final List<ConnectionFactory> hosts;

	private final Duration limit;

	/** Position of the host that accepted writes last. */
	private volatile int first;

	/**
	 * Creates connections.
	 * @param connectTimeout limit for trying all hosts
	 */
	HostConnections(List<ConnectionFactoryOptions> hosts, Duration connectTimeout) {
		this.limit = connectTimeout.dividedBy(hosts.size());
		this.hosts = hosts.stream()
			.<ConnectionFactory>map((host) -> ConnectionFactories.get(host.mutate()
				.option(ConnectionFactoryOptions.CONNECT_TIMEOUT, this.limit)
				.option(Option.valueOf("tcpKeepAlive"), true)
				.build()))
			.toList();
	}

	@Override
	public Mono<Connection> create() {
		return (this.hosts.size() == 1) ? Mono.from(this.hosts.getFirst().create())
				: Mono.defer(() -> next(this.first, 0));
	}

	private Mono<Connection> next(int begin, int tried) {
		int position = (begin + tried) % this.hosts.size();
		Mono<Connection> connection = Mono
			.usingWhen(Mono.<Connection>from(this.hosts.get(position).create()), HostConnections::requireWritable,
					(_) -> Mono.empty(), (opened, _) -> Mono.from(opened.close()).onErrorComplete(), Connection::close)
			.timeout(this.limit, Mono.error(() -> new R2dbcTimeoutException("A host of the database does not respond")))
			.doOnNext((_) -> this.first = position);
		return (tried + 1 < this.hosts.size()) ? connection.onErrorResume((_) -> next(begin, tried + 1)) : connection;
	}

	private static Mono<Connection> requireWritable(Connection connection) {
		return Flux.from(connection.createStatement("show transaction_read_only").execute())
			.flatMap((result) -> result.map((row) -> "off".equals(row.get(0, String.class))))
			.last(false)
			.filter(Boolean::booleanValue)
			.switchIfEmpty(Mono.error(() -> new R2dbcNonTransientResourceException("The server is read-only")))
			.thenReturn(connection);
	}

	@Override
	public ConnectionFactoryMetadata getMetadata() {
		return this.hosts.getFirst().getMetadata();
	}

}

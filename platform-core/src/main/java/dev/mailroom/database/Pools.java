package dev.mailroom.database;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.R2dbcTimeoutException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * The app's connections: a pool for each {@link Share}, which the Reactor context
 * selects.
 */
public final class Pools implements ConnectionFactory {

	/**
	 * Key in the Reactor context: statements, separated by semicolons, that are sent with
	 * the beginning of a transaction.
	 */
	public static final String SETTINGS = Pools.class.getName();

	/** Key in the Reactor context: the pool of a replica, which replaces the shares. */
	static final String REPLICA = Pools.class.getName() + ".replica";

	private static final Duration MAX_IDLE_TIME = Duration.ofMinutes(10);

	private static final Duration EVICTION_INTERVAL = Duration.ofSeconds(30);

	private static final Duration MAX_LIFE_TIME = Duration.ofHours(1);

	/**
	 * A connection that the server closes while it is taken is replaced; a timeout is
	 * final.
	 */
	private static final Retry RETRY = Retry.max(1)
		.filter((error) -> !(error instanceof R2dbcTimeoutException))
		.onRetryExhaustedThrow((_, last) -> last.failure());

	private final ConnectionFactory driver;

	private final PoolSettings settings;

	private final Failover failover;

	/** The connections of all pools, and closed ones until they are collected. */
	private final Set<LimitedConnection> connections = Collections
		.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

	private final Map<Share, ConnectionPool> pools = new EnumMap<>(Share.class);

	Pools(List<ConnectionFactoryOptions> hosts, PoolSettings settings, Failover failover) {
		this.settings = settings;
		this.failover = failover;
		this.driver = new HostConnections(hosts, settings.connectTimeout());
		failover.add(this::replaceConnections);
		this.pools.put(Share.WORK, pool(limited(Share.WORK), settings.connections()));
		this.pools.put(Share.LISTS, pool(limited(Share.LISTS), settings.listConnections()));
		this.pools.put(Share.NOTIFICATIONS, pool(limited(Share.NOTIFICATIONS), 1));
	}

	@Override
	public Mono<Connection> create() {
		return Mono.<Connection>deferContextual(
				(context) -> context.hasKey(REPLICA) ? context.<ConnectionPool>get(REPLICA).create()
						: pool(context.getOrDefault(Share.class, Share.WORK)).create())
			.retryWhen(RETRY);
	}

	ConnectionPool pool(@Nullable Share share) {
		return Objects.requireNonNull(this.pools.get((share != null) ? share : Share.WORK));
	}

	private LimitedConnections limited(Share share) {
		Duration maxUse = this.settings.maxUse(share);
		return new LimitedConnections(this.driver, this.settings.session(share), (connection) -> {
			LimitedConnection limited = new LimitedConnection(connection, maxUse,
					() -> this.failover.replace("the server does not respond"));
			this.connections.add(limited);
			return limited;
		});
	}

	/**
	 * A pool for lists on a standby, which a failover of the primary does not replace.
	 */
	ConnectionPool replica(ConnectionFactoryOptions host) {
		Duration maxUse = this.settings.maxUse(Share.LISTS);
		return pool(new LimitedConnections(new HostConnections(List.of(host), this.settings.connectTimeout()),
				this.settings.session(Share.LISTS), (connection) -> new LimitedConnection(connection, maxUse, () -> {
				})), this.settings.listConnections());
	}

	private void replaceConnections() {
		List.copyOf(this.connections).forEach(LimitedConnection::replace);
	}

	private ConnectionPool pool(LimitedConnections limited, int size) {
		return new ConnectionPool(ConnectionPoolConfiguration.builder(limited)
			.initialSize(0)
			.minIdle(0)
			.maxSize(size)
			.acquireRetry(0)
			.maxAcquireTime(this.settings.connectTimeout())
			.maxCreateConnectionTime(this.settings.connectTimeout())
			.maxIdleTime(MAX_IDLE_TIME)
			.maxLifeTime(MAX_LIFE_TIME)
			.backgroundEvictionInterval(EVICTION_INTERVAL)
			.customizer((builder) -> builder.evictionPredicate((connection, use) -> !isUsable(connection)
					|| use.idleTime() >= MAX_IDLE_TIME.toMillis() || use.lifeTime() >= MAX_LIFE_TIME.toMillis()))
			.build());
	}

	private static boolean isUsable(Connection connection) {
		return !(connection instanceof LimitedConnection limited) || limited.isUsable();
	}

	@Override
	public ConnectionFactoryMetadata getMetadata() {
		return this.driver.getMetadata();
	}

}

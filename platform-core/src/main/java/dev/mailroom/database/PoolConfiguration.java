package dev.mailroom.database;

import java.util.Objects;

import io.r2dbc.pool.ConnectionPool;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Replaces Spring Boot's single pool. The pools are beans for their metrics only.
 */
@Configuration(proxyBeanMethods = false)
class PoolConfiguration {

	/** The committer that retries requests apart from their groups. */
	private static final int MORE_COMMITTERS = 1;

	@Bean
	Pools pools(R2dbcProperties connection, PoolSettings settings, Failover failover) {
		return new Pools(url(connection).r2dbc(login(connection)), settings, failover);
	}

	@Bean
	JdbcPool commitPool(R2dbcProperties connection, PoolSettings settings, Failover failover,
			@Value("${mailroom.accept.loops:2}") int loops) {
		return new JdbcPool("commit",
				new JdbcConnections(url(connection), login(connection), settings.commitSession(),
						settings.connectTimeout(), settings.maxCommitTime()),
				settings.connectTimeout(), loops + MORE_COMMITTERS, failover);
	}

	@Bean
	JdbcPool threadPool(R2dbcProperties connection, PoolSettings settings, Failover failover) {
		return new JdbcPool("thread",
				new JdbcConnections(url(connection), login(connection), settings.session(Share.WORK),
						settings.connectTimeout(), settings.maxStatementTime()),
				settings.connectTimeout(), settings.threadConnections(), failover);
	}

	/** The servers of {@code MAILROOM_DB_REPLICA_URL}, if it is set. */
	@Bean
	@ConditionalOnExpression("!environment.getProperty('mailroom.database.replica-url', '').isEmpty()")
	Replicas replicas(R2dbcProperties connection, PoolSettings settings, Pools pools, SchemaStore store) {
		return new Replicas(DatabaseUrl.parse(DatabaseUrl.REPLICAS, settings.replicaUrl()), login(connection), pools,
				store);
	}

	private static DatabaseUrl url(R2dbcProperties connection) {
		return DatabaseUrl.parse(Objects.requireNonNullElse(connection.getUrl(), ""));
	}

	private static DatabaseUrl.Login login(R2dbcProperties connection) {
		return new DatabaseUrl.Login(Objects.requireNonNullElse(connection.getUsername(), ""),
				Objects.requireNonNullElse(connection.getPassword(), ""));
	}

	@Bean(defaultCandidate = false, destroyMethod = "dispose")
	ConnectionPool workPool(Pools pools) {
		return pools.pool(Share.WORK);
	}

	@Bean(defaultCandidate = false, destroyMethod = "dispose")
	ConnectionPool listPool(Pools pools) {
		return pools.pool(Share.LISTS);
	}

	@Bean(defaultCandidate = false, destroyMethod = "dispose")
	ConnectionPool notificationPool(Pools pools) {
		return pools.pool(Share.NOTIFICATIONS);
	}

}

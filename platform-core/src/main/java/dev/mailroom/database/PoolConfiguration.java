package dev.mailroom.database;

import io.r2dbc.pool.ConnectionPool;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcConnectionDetails;
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
	Pools pools(R2dbcConnectionDetails connection, PoolSettings settings) {
		return new Pools(connection.getConnectionFactoryOptions(), settings);
	}

	@Bean
	JdbcPool commitPool(R2dbcConnectionDetails connection, PoolSettings settings,
			@Value("${mailroom.accept.loops:2}") int loops) {
		return new JdbcPool("commit", connection.getConnectionFactoryOptions(), settings.commitSession(),
				settings.maxCommitTime(), settings.connectTimeout(), loops + MORE_COMMITTERS);
	}

	@Bean
	JdbcPool threadPool(R2dbcConnectionDetails connection, PoolSettings settings) {
		return new JdbcPool("threads", connection.getConnectionFactoryOptions(), settings.session(Share.WORK),
				settings.maxStatementTime(), settings.connectTimeout(), settings.connections());
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

package dev.mailroom.pool;

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

	/** Committers that retry requests apart from their groups, and the notification. */
	private static final int MORE_COMMITTERS = 2;

	@Bean
	Pools pools(R2dbcConnectionDetails connection, PoolSettings settings,
			@Value("${mailroom.accept.loops:2}") int loops) {
		return new Pools(connection.getConnectionFactoryOptions(), settings, loops + MORE_COMMITTERS);
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
	ConnectionPool acceptPool(Pools pools) {
		return pools.pool(Share.ACCEPTING);
	}

}

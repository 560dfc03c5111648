package dev.mailroom.database;

import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.ToLongFunction;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import dev.mailroom.Bounded;
import org.jspecify.annotations.Nullable;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Connections for threads that wait for their statements: those that commit accepted mail
 * and those of the worker. A statement over JDBC costs a fraction of the CPU time that it
 * costs over R2DBC.
 */
public final class JdbcPool implements AutoCloseable, Bounded {

	private static final Duration MAX_IDLE_TIME = Duration.ofMinutes(10);

	private static final Duration MAX_LIFE_TIME = Duration.ofHours(1);

	private final JdbcConnections source;

	private final HikariDataSource connections;

	private final Failover failover;

	private final TransactionTemplate transaction;

	private final JdbcClient client;

	/** Creates the pool; it connects when the first connection is needed. */
	JdbcPool(String name, JdbcConnections source, Duration connectTimeout, int size, Failover failover) {
		this.source = source;
		this.connections = new HikariDataSource(configuration(name, source, connectTimeout, size));
		this.transaction = new TransactionTemplate(new JdbcTransactionManager(this.connections));
		this.client = JdbcClient.create(this.connections);
		this.failover = failover;
		failover.add(this::replaceConnections);
	}

	private static HikariConfig configuration(String name, JdbcConnections source, Duration connectTimeout, int size) {
		HikariConfig configuration = new HikariConfig();
		configuration.setPoolName(name);
		configuration.setDataSource(source);
		configuration.setMaximumPoolSize(size);
		configuration.setMinimumIdle(0);
		configuration.setConnectionTimeout(connectTimeout.toMillis());
		configuration.setIdleTimeout(MAX_IDLE_TIME.toMillis());
		configuration.setMaxLifetime(MAX_LIFE_TIME.toMillis());
		// The app starts without the database, and its threads wait for it.
		configuration.setInitializationFailTimeout(-1);
		return configuration;
	}

	/** Closes idle connections, and others when they are returned. */
	private void replaceConnections() {
		@Nullable HikariPoolMXBean pool = this.connections.getHikariPoolMXBean();
		if (pool != null) {
			pool.softEvictConnections();
		}
	}

	@Override
	public List<Limit> limits() {
		return List.of(new Limit(this.connections.getPoolName() + "_connections",
				() -> read(HikariPoolMXBean::getActiveConnections), this.connections.getMaximumPoolSize(),
				() -> read(HikariPoolMXBean::getThreadsAwaitingConnection)));
	}

	private long read(ToLongFunction<HikariPoolMXBean> value) {
		@Nullable HikariPoolMXBean pool = this.connections.getHikariPoolMXBean();
		return (pool != null) ? value.applyAsLong(pool) : 0;
	}

	/**
	 * Runs work in a transaction on the calling thread, or in the one that the thread has
	 * open; that keeps its settings. A connection that the server has closed is replaced
	 * if the first statement finds it closed.
	 * @param settings the first statement, which sets the transaction's settings
	 * @throws TransactionException if there is no connection, or the commit is not
	 * confirmed
	 * @throws DataAccessException if a statement fails
	 */
	<T extends @Nullable Object> T inTransaction(SqlStatement settings, Function<JdbcClient, T> work) {
		if (TransactionSynchronizationManager.hasResource(this.connections)) {
			return work.apply(this.client);
		}
		AtomicBoolean begun = new AtomicBoolean();
		try {
			return attempt(settings, begun, work);
		}
		catch (CannotCreateTransactionException ex) {
			throw ex;
		}
		catch (DataAccessException | TransactionException ex) {
			Throwable original = original(ex);
			boolean timeout = NestedExceptionUtils.getRootCause(original) instanceof SocketTimeoutException;
			if (timeout) {
				this.failover.replace("the server does not respond");
			}
			else {
				this.failover.check(original);
			}
			if (begun.get() || timeout) {
				throw ex;
			}
			return attempt(settings, begun, work);
		}
	}

	private <T extends @Nullable Object> T attempt(SqlStatement settings, AtomicBoolean begun,
			Function<JdbcClient, T> work) {
		return this.transaction.execute((_) -> {
			settings.run(this.client);
			begun.set(true);
			return work.apply(this.client);
		});
	}

	/** Opens a connection with the settings of the pool that does not belong to it. */
	Connection connect() throws SQLException {
		return this.source.getConnection();
	}

	/** The error of the work; a rollback on a broken connection fails as well. */
	private static Throwable original(RuntimeException error) {
		return (error instanceof TransactionSystemException system && system.getOriginalException() != null)
				? system.getOriginalException() : error;
	}

	@Override
	public void close() {
		this.connections.close();
	}

}

package dev.mailroom.database;

import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
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
public final class JdbcPool implements AutoCloseable {

	private static final Duration MAX_IDLE_TIME = Duration.ofMinutes(10);

	private static final Duration MAX_LIFE_TIME = Duration.ofHours(1);

	private final HikariDataSource connections;

	private final TransactionTemplate transaction;

	private final JdbcClient client;

	/**
	 * Creates the pool; it connects when the first connection is needed.
	 * @param url of JDBC, without login
	 * @param session settings of a session, with the server's time limits
	 * @param maxWait time after which a connection is closed whose server does not
	 * respond
	 */
	JdbcPool(String name, String url, DatabaseUrl.Login login, Map<String, String> session, Duration maxWait,
			Duration connectTimeout, int size) {
		HikariConfig configuration = configuration(url, login, maxWait, connectTimeout);
		configuration.setPoolName(name);
		configuration.setConnectionInitSql(LimitedConnections.limits(session));
		configuration.setMaximumPoolSize(size);
		this.connections = new HikariDataSource(configuration);
		this.transaction = new TransactionTemplate(new JdbcTransactionManager(this.connections));
		this.client = JdbcClient.create(this.connections);
	}

	private static HikariConfig configuration(String url, DatabaseUrl.Login login, Duration maxWait,
			Duration connectTimeout) {
		Properties properties = new Properties();
		properties.setProperty("tcpKeepAlive", "true");
		properties.setProperty("connectTimeout", Long.toString(connectTimeout.toSeconds()));
		// Ends a statement on a server that does not respond.
		properties.setProperty("socketTimeout", Long.toString(Math.max(1, maxWait.toSeconds())));
		// The few statements are prepared at once and kept.
		properties.setProperty("prepareThreshold", "1");
		// Arrays of UUIDs.
		properties.setProperty("binaryTransferEnable", "2951");
		HikariConfig configuration = new HikariConfig();
		configuration.setJdbcUrl(url);
		configuration.setUsername(login.user());
		configuration.setPassword(login.password());
		configuration.setDataSourceProperties(properties);
		configuration.setMinimumIdle(0);
		configuration.setConnectionTimeout(connectTimeout.toMillis());
		configuration.setIdleTimeout(MAX_IDLE_TIME.toMillis());
		configuration.setMaxLifetime(MAX_LIFE_TIME.toMillis());
		// The app starts without the database, and its threads wait for it.
		configuration.setInitializationFailTimeout(-1);
		return configuration;
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
			if (begun.get() || isTimeout(ex)) {
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
		Properties properties = new Properties();
		properties.putAll(this.connections.getDataSourceProperties());
		properties.setProperty("user", this.connections.getUsername());
		properties.setProperty("password", this.connections.getPassword());
		Connection connection = DriverManager.getConnection(this.connections.getJdbcUrl(), properties);
		try (Statement statement = connection.createStatement()) {
			statement.execute(this.connections.getConnectionInitSql());
			return connection;
		}
		catch (SQLException ex) {
			connection.close();
			throw ex;
		}
	}

	/** Whether the statement failed because the server does not respond. */
	private static boolean isTimeout(RuntimeException error) {
		@Nullable Throwable original = (error instanceof TransactionSystemException system) ? system.getOriginalException()
				: error;
		return NestedExceptionUtils.getRootCause(original) instanceof SocketTimeoutException;
	}

	@Override
	public void close() {
		this.connections.close();
	}

}

package dev.mailroom.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.datasource.AbstractDataSource;

/**
 * Opens JDBC connections to the host that accepts writes. Each host has its share of the
 * time, so that one that does not respond, or whose machine is gone, leaves time for the
 * others; the driver's own search does not. The host that was found last comes first.
 */
final class JdbcConnections extends AbstractDataSource {

	/** SQLSTATE of a connection that cannot be established. */
	private static final String UNABLE_TO_CONNECT = "08001";

	private final List<String> urls;

	private final Properties properties = new Properties();

	private final String session;

	private final Duration maxWait;

	/** Position of the host that accepted writes last. */
	private volatile int first;

	/**
	 * Creates connections.
	 * @param session settings of a session
	 * @param connectTimeout limit for trying all hosts
	 * @param maxWait time after which a connection is closed whose server does not
	 * respond; zero for none
	 */
	JdbcConnections(DatabaseUrl url, DatabaseUrl.Login login, Map<String, String> session, Duration connectTimeout,
			Duration maxWait) {
		this.urls = url.jdbc();
		this.session = session.isEmpty() ? "" : LimitedConnections.limits(session);
		this.maxWait = maxWait;
		Duration each = connectTimeout.dividedBy(this.urls.size());
		// A read of the login, of which there may be two: for TLS, and without it.
		Duration read = each.dividedBy(2);
		this.properties.setProperty("user", login.user());
		this.properties.setProperty("password", login.password());
		@Nullable String algorithm = url.keyAlgorithm();
		if (algorithm != null) {
			this.properties.setProperty("pemKeyAlgorithm", algorithm);
		}
		this.properties.setProperty("tcpKeepAlive", "true");
		this.properties.setProperty("connectTimeout", seconds(each));
		this.properties.setProperty("socketTimeout", seconds(read));
		this.properties.setProperty("sslResponseTimeout", Long.toString(read.toMillis()));
		// The few statements are prepared at once and kept.
		this.properties.setProperty("prepareThreshold", "1");
		// Arrays of UUIDs.
		this.properties.setProperty("binaryTransferEnable", "2951");
	}

	private static String seconds(Duration limit) {
		return Long.toString(Math.max(1, limit.toSeconds()));
	}

	@Override
	public Connection getConnection() throws SQLException {
		return next(this.first, 0);
	}

	private Connection next(int begin, int tried) throws SQLException {
		int position = (begin + tried) % this.urls.size();
		try {
			Connection connection = open(this.urls.get(position));
			this.first = position;
			return connection;
		}
		catch (SQLException ex) {
			if (tried + 1 == this.urls.size()) {
				throw ex;
			}
			return next(begin, tried + 1);
		}
	}

	private Connection open(String url) throws SQLException {
		Connection connection = DriverManager.getConnection(url, this.properties);
		try (Statement statement = connection.createStatement()) {
			// A single host may be a standby: it is the only one to read from.
			if (this.urls.size() > 1 && isReadOnly(statement)) {
				throw new SQLException("The server is read-only: " + url, UNABLE_TO_CONNECT);
			}
			if (!this.session.isEmpty()) {
				statement.execute(this.session);
			}
			connection.setNetworkTimeout(Runnable::run, Math.toIntExact(this.maxWait.toMillis()));
			return connection;
		}
		catch (SQLException ex) {
			connection.close();
			throw ex;
		}
	}

	private static boolean isReadOnly(Statement statement) throws SQLException {
		try (ResultSet result = statement.executeQuery("show transaction_read_only")) {
			return result.next() && "on".equals(result.getString(1));
		}
	}

	@Override
	public Connection getConnection(@Nullable String user, @Nullable String password) throws SQLException {
		throw new UnsupportedOperationException("The login is fixed");
	}

	/** Has no effect: the limits of each host are set. */
	@Override
	public void setLoginTimeout(int seconds) {
		// Called by the pool.
	}

}

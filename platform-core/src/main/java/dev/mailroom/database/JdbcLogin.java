package dev.mailroom.database;

import java.util.Properties;

import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.Option;
import org.jspecify.annotations.Nullable;

/**
 * The address and the login of the database for JDBC, read from the options of R2DBC.
 *
 * @param url the URL without login
 * @param properties login and TLS settings of the driver
 */
public record JdbcLogin(String url, Properties properties) {

	private static final int DEFAULT_PORT = 5432;

	public static JdbcLogin of(ConnectionFactoryOptions options) {
		Properties properties = new Properties();
		put(properties, "user", options.getValue(ConnectionFactoryOptions.USER));
		put(properties, "password", options.getValue(ConnectionFactoryOptions.PASSWORD));
		put(properties, "sslmode", options.getValue(Option.valueOf("sslMode")));
		put(properties, "sslrootcert", options.getValue(Option.valueOf("sslRootCert")));
		return new JdbcLogin(url(options), properties);
	}

	private static String url(ConnectionFactoryOptions options) {
		@Nullable Object port = options.getValue(ConnectionFactoryOptions.PORT);
		return "jdbc:postgresql://" + options.getValue(ConnectionFactoryOptions.HOST) + ":"
				+ ((port != null) ? port : DEFAULT_PORT) + "/" + options.getValue(ConnectionFactoryOptions.DATABASE);
	}

	private static void put(Properties properties, String name, @Nullable Object value) {
		if (value != null) {
			properties.setProperty(name, value.toString());
		}
	}

}

package dev.mailroom.schema;

import java.sql.SQLException;
import java.util.List;
import java.util.Properties;

import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.Option;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcConnectionDetails;
import org.springframework.stereotype.Component;

/**
 * Refuses a database that would lose, in a crash, what it has confirmed: whatever was
 * accepted is promised to be there. Looked at before anything listens, with the
 * credentials of the apps, for a role may have settings of its own; and again whenever
 * readiness is asked for, for the database may have been away at the start.
 */
@Component
public class Durability implements SmartInitializingSingleton {

	private static final Logger log = LoggerFactory.getLogger(Durability.class);

	private static final int DEFAULT_PORT = 5432;

	/** In seconds: long enough for a slow server, short enough for a start. */
	private static final String PATIENCE = "5";

	private final SchemaStore store;

	private final R2dbcConnectionDetails where;

	Durability(SchemaStore store, R2dbcConnectionDetails where) {
		this.store = store;
		this.where = where;
	}

	/** Ends in {@link NotDurable} where the database would lose something. */
	public Mono<Void> check() {
		return this.store.lax().collectList().doOnNext(Durability::require).then();
	}

	@Override
	public void afterSingletonsInstantiated() {
		ConnectionFactoryOptions options = this.where.getConnectionFactoryOptions();
		try {
			require(SchemaStore.laxNow(url(options), login(options)));
		}
		catch (SQLException ex) {
			log.warn("The database does not answer: this app is not ready until it does");
			log.debug("It failed so", ex);
		}
	}

	private static void require(List<String> lax) {
		if (!lax.isEmpty()) {
			throw new NotDurable(lax);
		}
	}

	private static String url(ConnectionFactoryOptions options) {
		@Nullable Object port = options.getValue(ConnectionFactoryOptions.PORT);
		return "jdbc:postgresql://" + options.getValue(ConnectionFactoryOptions.HOST) + ":"
				+ ((port != null) ? port : DEFAULT_PORT) + "/" + options.getValue(ConnectionFactoryOptions.DATABASE);
	}

	private static Properties login(ConnectionFactoryOptions options) {
		Properties login = new Properties();
		put(login, "user", options.getValue(ConnectionFactoryOptions.USER));
		put(login, "password", options.getValue(ConnectionFactoryOptions.PASSWORD));
		put(login, "sslmode", options.getValue(Option.valueOf("sslMode")));
		put(login, "sslrootcert", options.getValue(Option.valueOf("sslRootCert")));
		login.setProperty("connectTimeout", PATIENCE);
		login.setProperty("socketTimeout", PATIENCE);
		return login;
	}

	private static void put(Properties login, String name, @Nullable Object value) {
		if (value != null) {
			login.setProperty(name, value.toString());
		}
	}

}

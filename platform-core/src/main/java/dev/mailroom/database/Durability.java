package dev.mailroom.database;

import java.sql.SQLException;
import java.util.List;
import java.util.Properties;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcProperties;
import org.springframework.stereotype.Component;

/**
 * Checks that PostgreSQL keeps committed transactions through a crash, which the
 * guarantees for accepted mail depend on. It runs before the app listens, with the app's
 * credentials, because a role can have its own settings; and with each readiness probe,
 * because the database may be unreachable at the start.
 */
@Component
public class Durability implements SmartInitializingSingleton {

	private static final Logger log = LoggerFactory.getLogger(Durability.class);

	/** Timeout of the check at the start, in seconds. */
	private static final String TIMEOUT_SECONDS = "5";

	private final SchemaStore store;

	private final R2dbcProperties connection;

	Durability(SchemaStore store, R2dbcProperties connection) {
		this.store = store;
		this.connection = connection;
	}

	/** Fails with {@link NotDurable} if a setting would lose committed transactions. */
	public Mono<Void> check() {
		return this.store.unsafeSettings().collectList().doOnNext(Durability::require).then();
	}

	/** Whether the server accepts writes; one that was demoted to a standby does not. */
	public Mono<Boolean> isWritable() {
		return this.store.isWritable();
	}

	@Override
	public void afterSingletonsInstantiated() {
		DatabaseUrl.Login login = PoolConfiguration.login(this.connection);
		Properties properties = new Properties();
		properties.setProperty("user", login.user());
		properties.setProperty("password", login.password());
		properties.setProperty("connectTimeout", TIMEOUT_SECONDS);
		properties.setProperty("socketTimeout", TIMEOUT_SECONDS);
		try {
			require(SchemaStore.unsafeSettingsNow(PoolConfiguration.url(this.connection).jdbc(), properties));
		}
		catch (SQLException ex) {
			log.warn("The database is unreachable; the app is not ready until it answers: {}", ex.getMessage());
			log.debug("Checking the settings of the database failed", ex);
		}
	}

	private static void require(List<String> unsafe) {
		if (!unsafe.isEmpty()) {
			throw new NotDurable(unsafe);
		}
	}

}

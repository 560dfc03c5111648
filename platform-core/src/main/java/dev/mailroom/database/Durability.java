package dev.mailroom.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.mailroom.Allowed;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.stereotype.Component;

/**
 * Checks that PostgreSQL keeps committed transactions through a crash, and through the
 * loss of the server if synchronous standbys are required; the guarantees for accepted
 * mail depend on it. It runs before the app listens, with the app's credentials, because
 * a role can have its own settings; and with each readiness probe, because the database
 * may be unreachable at the start, and another server after a failover.
 */
@Component
public class Durability implements SmartInitializingSingleton {

	private static final Logger log = LoggerFactory.getLogger(Durability.class);

	/**
	 * A value of synchronous_standby_names with a number: {@code 2 (a, b)},
	 * {@code FIRST 2 (a, b)} or {@code ANY 2 (a, b)}.
	 */
	private static final Pattern NUMBERED = Pattern.compile("\\s*(?:(?:FIRST|ANY)\\s+)?(\\d{1,9})\\s*\\(.*",
			Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

	/** Values of synchronous_commit that wait until a standby has synced its disk. */
	private static final Set<String> WAITING = Set.of("on", "remote_apply");

	private final SchemaStore store;

	private final JdbcTransactions database;

	private final Failover failover;

	private final Settings settings;

	Durability(SchemaStore store, JdbcTransactions database, Failover failover, Settings settings) {
		this.store = store;
		this.database = database;
		this.failover = failover;
		this.settings = settings;
	}

	/** Fails with {@link NotDurable} if a setting would lose committed transactions. */
	public Mono<Void> check() {
		return this.store.commitSettings().doOnNext(this::require).then();
	}

	/**
	 * Whether the server accepts writes; one that was demoted to a standby does not, and
	 * its connections are replaced.
	 */
	public Mono<Boolean> isWritable() {
		return this.store.isWritable().doOnNext((writable) -> {
			if (!writable) {
				this.failover.replace("the server is read-only");
			}
		});
	}

	@Override
	public void afterSingletonsInstantiated() {
		try (Connection connection = this.database.connect()) {
			require(SchemaStore.commitSettings(connection));
		}
		catch (SQLException ex) {
			log.warn("The database is unreachable; the app is not ready until it answers: {}", ex.getMessage());
			log.debug("Checking the settings of the database failed", ex);
		}
	}

	private void require(Map<String, String> values) {
		List<String> off = Stream.of("fsync", "full_page_writes", "synchronous_commit")
			.filter((name) -> "off".equals(values.get(name)))
			.toList();
		if (!off.isEmpty()) {
			throw NotDurable.off(off);
		}
		String commit = values.getOrDefault("synchronous_commit", "");
		String standbys = values.getOrDefault("synchronous_standby_names", "");
		int needed = this.settings.syncReplicas();
		if (needed > 0 && (!WAITING.contains(commit) || waitsFor(standbys) < needed)) {
			throw NotDurable.replicas(needed, commit, standbys);
		}
	}

	/** Number of standbys for which a commit waits. */
	static int waitsFor(String standbys) {
		Matcher numbered = NUMBERED.matcher(standbys);
		if (numbered.matches()) {
			return Integer.parseInt(numbered.group(1));
		}
		return standbys.isBlank() ? 0 : 1;
	}

	/**
	 * Requirements on the database.
	 *
	 * @param syncReplicas number of standbys that have stored a commit before it is
	 * confirmed
	 */
	@ConfigurationProperties("mailroom.durability")
	record Settings(@DefaultValue("0") @Allowed(from = "0", to = "100") int syncReplicas) {
	}

}

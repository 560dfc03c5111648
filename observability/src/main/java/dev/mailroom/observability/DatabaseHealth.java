package dev.mailroom.observability;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

import dev.mailroom.schema.Durability;
import dev.mailroom.schema.SchemaVersion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.ReactiveHealthIndicator;
import org.springframework.stereotype.Component;

/**
 * Whether the database answers, keeps what it confirms, and has the schema that this
 * release needs. What changes is said once in the log: the answer itself shows no
 * details.
 */
@Component("database")
class DatabaseHealth implements ReactiveHealthIndicator {

	private static final Logger log = LoggerFactory.getLogger(DatabaseHealth.class);

	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private static final String GOOD = "";

	private final SchemaVersion version;

	private final Durability durability;

	private final AtomicReference<String> said = new AtomicReference<>(GOOD);

	DatabaseHealth(SchemaVersion version, Durability durability) {
		this.version = version;
		this.durability = durability;
	}

	@Override
	public Mono<Health> health() {
		return this.durability.check()
			.then(this.version.standing())
			.map(DatabaseHealth::fault)
			.timeout(PATIENCE, Mono.just("The database does not answer in time"))
			.onErrorResume((error) -> Mono.just("The database cannot be used: " + error.getMessage()))
			.doOnNext(this::say)
			.map((fault) -> (fault.equals(GOOD) ? Health.up() : Health.down()).build());
	}

	private static String fault(SchemaVersion.Standing standing) {
		return standing.older() ? "The database's schema has version " + standing.installed()
				+ " and this release needs " + standing.needed() + ": run its migrations" : GOOD;
	}

	private void say(String fault) {
		if (!fault.equals(this.said.getAndSet(fault))) {
			if (fault.equals(GOOD)) {
				log.info("The database can be used again");
			}
			else {
				log.warn("Not ready: {}", fault);
			}
		}
	}

}

package dev.mailroom.observability;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

import dev.mailroom.database.Durability;
import dev.mailroom.database.SchemaVersion;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.ReactiveHealthIndicator;
import org.springframework.stereotype.Component;

/**
 * Health of the database: it answers, keeps committed transactions through a crash and
 * has the schema that this release needs. Each change is logged once with its cause,
 * because the health endpoint shows no details.
 */
@Component("database")
class DatabaseHealth implements ReactiveHealthIndicator, MeterBinder {

	private static final Logger log = LoggerFactory.getLogger(DatabaseHealth.class);

	private static final Duration TIMEOUT = Duration.ofSeconds(2);

	private static final String NO_FAULT = "";

	private final SchemaVersion version;

	private final Durability durability;

	private final AtomicReference<String> logged = new AtomicReference<>(NO_FAULT);

	private volatile boolean behind;

	DatabaseHealth(SchemaVersion version, Durability durability) {
		this.version = version;
		this.durability = durability;
	}

	@Override
	public Mono<Health> health() {
		return this.durability.check()
			.then(this.version.state())
			.map(this::fault)
			.timeout(TIMEOUT, Mono.just("The database did not answer within " + TIMEOUT.toSeconds() + " s"))
			.onErrorResume((error) -> Mono.just("The database cannot be used: " + error.getMessage()))
			.doOnNext(this::logChange)
			.map((fault) -> (fault.equals(NO_FAULT) ? Health.up() : Health.down()).build());
	}

	/** The value of the last health check; readiness probes keep it current. */
	@Override
	public void bindTo(MeterRegistry registry) {
		Gauge.builder("mailroom.schema.behind", this, (health) -> health.behind ? 1 : 0)
			.description("Whether the database lacks migrations of this release (1) or not (0)")
			.register(registry);
	}

	private String fault(SchemaVersion.State schema) {
		this.behind = schema.older();
		return schema.older() ? "The database's schema has version " + schema.installed() + " and this release needs "
				+ schema.needed() + ": run its migrations" : NO_FAULT;
	}

	private void logChange(String fault) {
		if (!fault.equals(this.logged.getAndSet(fault))) {
			if (fault.equals(NO_FAULT)) {
				log.info("The database can be used again");
			}
			else {
				log.warn("Not ready: {}", fault);
			}
		}
	}

}

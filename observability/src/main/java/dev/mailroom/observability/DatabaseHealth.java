package dev.mailroom.observability;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

import dev.mailroom.database.Durability;
import dev.mailroom.database.NotDurable;
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
 * Health of the database: it answers, accepts writes, keeps committed transactions
 * through a crash and has the schema that this release needs. Each change is logged once
 * with its cause, because the health endpoint shows no details.
 */
@Component("database")
class DatabaseHealth implements ReactiveHealthIndicator, MeterBinder {

	private static final Logger log = LoggerFactory.getLogger(DatabaseHealth.class);

	private static final Duration TIMEOUT = Duration.ofSeconds(2);

	private static final Finding FIT = new Finding(Answer.FIT, "");

	private final SchemaVersion version;

	private final Durability durability;

	private final AtomicReference<Finding> logged = new AtomicReference<>(FIT);

	private volatile boolean behind;

	DatabaseHealth(SchemaVersion version, Durability durability) {
		this.version = version;
		this.durability = durability;
	}

	@Override
	public Mono<Health> health() {
		return answer().map((answer) -> ((answer == Answer.FIT) ? Health.up() : Health.down()).build());
	}

	/** The answer of the database now. */
	Mono<Answer> answer() {
		return this.durability.check()
			.then(Mono.zip(this.version.state(), this.durability.isWritable(), this::finding))
			.timeout(TIMEOUT,
					Mono.just(new Finding(Answer.NONE,
							"The database did not answer within " + TIMEOUT.toSeconds() + " s")))
			.onErrorResume(NotDurable.class,
					(error) -> Mono.just(new Finding(Answer.UNFIT, String.valueOf(error.getMessage()))))
			.onErrorResume((error) -> Mono
				.just(new Finding(Answer.NONE, "The database cannot be used: " + error.getMessage())))
			.doOnNext(this::logChange)
			.map(Finding::answer);
	}

	/** The value of the last health check; readiness probes keep it current. */
	@Override
	public void bindTo(MeterRegistry registry) {
		Gauge.builder("mailroom.schema.behind", this, (health) -> health.behind ? 1 : 0)
			.description("Whether the database lacks migrations of this release (1) or not (0)")
			.register(registry);
	}

	private Finding finding(SchemaVersion.State schema, boolean writable) {
		this.behind = schema.older();
		if (schema.older()) {
			return new Finding(Answer.UNFIT, "The database's schema has version " + schema.installed()
					+ " and this release needs " + schema.needed() + ": run its migrations");
		}
		return writable ? FIT : new Finding(Answer.UNFIT,
				"The database is read-only: it is a standby, or default_transaction_read_only is on");
	}

	private void logChange(Finding finding) {
		if (!finding.equals(this.logged.getAndSet(finding))) {
			switch (finding.answer()) {
				case FIT -> log.info("The database can be used again");
				case UNFIT -> log.warn("Not ready: {}", finding.text());
				case NONE -> log.warn("{}", finding.text());
			}
		}
	}

	/** Kinds of answers of the database. */
	enum Answer {

		FIT, UNFIT, NONE

	}

	private record Finding(Answer answer, String text) {
	}

}

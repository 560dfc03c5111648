package dev.mailroom.observability;

import reactor.core.publisher.Mono;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.ReactiveHealthIndicator;
import org.springframework.stereotype.Component;

/**
 * Health of serving clients, for readiness: the database has been fit since the start,
 * and does not answer now that it is unfit. While it does not answer at all, the app
 * serves: no other instance reaches it either, and the app itself tells its clients to
 * repeat their requests. Without any ready instance the proxy would answer instead.
 */
@Component("serving")
class ServingHealth implements ReactiveHealthIndicator {

	private final DatabaseHealth database;

	private volatile boolean reached;

	ServingHealth(DatabaseHealth database) {
		this.database = database;
	}

	@Override
	public Mono<Health> health() {
		return this.database.answer().map((answer) -> (serves(answer) ? Health.up() : Health.down()).build());
	}

	private boolean serves(DatabaseHealth.Answer answer) {
		return switch (answer) {
			case FIT -> {
				this.reached = true;
				yield true;
			}
			case UNFIT -> false;
			case NONE -> this.reached;
		};
	}

}

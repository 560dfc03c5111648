package dev.mailroom.admin.operator;

import java.util.List;

import dev.mailroom.Refusal;
import dev.mailroom.admin.operator.OperatorResolver.Console;
import dev.mailroom.mail.outcome.Reputations;
import dev.mailroom.operator.Destination;
import dev.mailroom.operator.HealthCheck;
import dev.mailroom.operator.HealthChecks;
import dev.mailroom.operator.Platform;
import dev.mailroom.operator.PlatformState;
import dev.mailroom.operator.TrafficPoint;
import dev.mailroom.operator.Worker;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** The state of the platform. */
@Controller
@SchemaMapping(typeName = "Operator")
class PlatformResolver {

	private static final int MAX_DAYS = 90;

	private static final int MAX_POINTS = 400;

	private final Platform platform;

	private final HealthChecks checks;

	PlatformResolver(Platform platform, HealthChecks checks) {
		this.platform = platform;
		this.checks = checks;
	}

	@SchemaMapping
	Mono<PlatformState> platform(Console console) {
		return this.platform.state(console.operator());
	}

	@SchemaMapping
	Mono<List<PlatformState.QueuePart>> queue(Console console) {
		return this.platform.queue(console.operator());
	}

	@SchemaMapping
	Mono<List<Destination>> destinations(Console console) {
		return this.platform.destinations(console.operator());
	}

	@SchemaMapping
	Mono<List<Worker>> workers(Console console) {
		return this.platform.workers(console.operator());
	}

	@SchemaMapping
	Mono<List<PlatformState.FailingEndpoint>> failingEndpoints(Console console) {
		return this.platform.failingEndpoints(console.operator());
	}

	@SchemaMapping
	Mono<List<Reputations.DayFigures>> dailyFigures(Console console, @Argument int days) {
		if (days < 1 || days > MAX_DAYS) {
			String message = "must be a whole number from 1 to " + MAX_DAYS;
			return Mono.error(Refusal.INVALID_REQUEST.field("days", message));
		}
		return this.platform.days(console.operator(), days);
	}

	@SchemaMapping
	Mono<List<TrafficPoint>> traffic(Console console, @Argument TrafficPoint.Period interval, @Argument int last) {
		if (last < 1 || last > MAX_POINTS) {
			String message = "must be a whole number from 1 to " + MAX_POINTS;
			return Mono.error(Refusal.INVALID_REQUEST.field("last", message));
		}
		return this.platform.traffic(console.operator(), interval, last);
	}

	@SchemaMapping
	Mono<List<HealthCheck>> healthChecks(Console console) {
		return this.checks.run(console.operator());
	}

}

package dev.mailroom.admin.operator;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.mailroom.account.Caller;
import dev.mailroom.admin.graphql.Streams;
import dev.mailroom.mail.outcome.Reputations;
import dev.mailroom.operator.Operator;
import dev.mailroom.operator.Platform;
import dev.mailroom.operator.PlatformState;
import dev.mailroom.operator.Worker;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.SubscriptionMapping;
import org.springframework.stereotype.Controller;

/** The state of the platform as a stream. */
@Controller
class PlatformStreamResolver {

	private static final Duration POLL_INTERVAL = Duration.ofSeconds(2);

	private final OperatorArguments operators;

	private final Platform platform;

	private final Streams streams;

	private final Clock clock;

	PlatformStreamResolver(OperatorArguments operators, Platform platform, Streams streams, Clock clock) {
		this.operators = operators;
		this.platform = platform;
		this.streams = streams;
		this.clock = clock;
	}

	/** The role is checked again for each state. */
	@SubscriptionMapping
	Flux<PlatformStatus> platformStatus(Caller caller) {
		Mono<PlatformStatus> read = Mono.defer(() -> this.operators.authorize(caller)).flatMap(this::status);
		return this.streams.limited(caller.scope(), read.repeatWhen((done) -> done.delayElements(POLL_INTERVAL)));
	}

	private Mono<PlatformStatus> status(Operator operator) {
		return this.platform.state(operator)
			.flatMap((state) -> this.platform.queue(operator)
				.flatMap((queue) -> this.platform.days(operator, 1)
					.flatMap((days) -> this.platform.workers(operator)
						.map((workers) -> new PlatformStatus(this.clock.instant(), state, queue, settled(days),
								workers)))));
	}

	private static long settled(List<Reputations.DayFigures> days) {
		return days.stream().mapToLong((day) -> day.delivered() + day.sent() + day.bounced()).sum();
	}

	/** The state of the platform at a time. */
	record PlatformStatus(Instant at, PlatformState platform, List<PlatformState.QueuePart> queue, long settledToday,
			List<Worker> workers) {
	}

}

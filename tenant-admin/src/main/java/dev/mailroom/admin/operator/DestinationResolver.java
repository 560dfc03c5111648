package dev.mailroom.admin.operator;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.admin.graphql.Payload;
import dev.mailroom.mail.queue.Holds;
import dev.mailroom.operator.Circuit;
import dev.mailroom.operator.Destination;
import dev.mailroom.operator.ManagedHolds;
import dev.mailroom.operator.Operator;
import graphql.GraphQLContext;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.BatchMapping;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** Stops and releases of destinations and of the queue by operators. */
@Controller
class DestinationResolver {

	private final AccountFactsResolver facts;

	private final ManagedHolds holds;

	DestinationResolver(AccountFactsResolver facts, ManagedHolds holds) {
		this.facts = facts;
		this.holds = holds;
	}

	@SchemaMapping
	long rate(Destination destination) {
		return destination.handed();
	}

	@SchemaMapping
	Circuit circuit(Destination destination) {
		return destination.state();
	}

	@SchemaMapping
	Holds.@Nullable DestinationHold held(Destination destination) {
		return destination.hold();
	}

	@SchemaMapping
	UUID heldById(Holds.DestinationHold hold) {
		return hold.heldBy();
	}

	@SchemaMapping
	Instant since(Holds.DestinationHold hold) {
		return hold.heldAt();
	}

	@BatchMapping
	Mono<Map<Holds.DestinationHold, String>> heldByEmail(List<Holds.DestinationHold> holds, GraphQLContext context) {
		return this.facts.addresses(holds, Holds.DestinationHold::heldBy, context);
	}

	@MutationMapping
	Mono<Map<String, Object>> operatorHoldDestination(Operator operator, @Argument HoldDestinationInput input) {
		return Payload.of("held", this.holds.hold(operator, input.destination(), input.reason(), input.until()));
	}

	@MutationMapping
	Mono<Map<String, Object>> operatorReleaseDestination(Operator operator, @Argument String destination) {
		return Payload.of("released", this.holds.release(operator, destination));
	}

	@MutationMapping
	Mono<Map<String, Object>> operatorPauseQueue(Operator operator, @Argument String reason,
			@Argument @Nullable String stream) {
		return Payload.of("paused", this.holds.pause(operator, stream, reason).thenReturn(true));
	}

	@MutationMapping
	Mono<Map<String, Object>> operatorResumeQueue(Operator operator, @Argument @Nullable String stream) {
		return Payload.of("paused", this.holds.resume(operator, stream).thenReturn(false));
	}

	@SchemaMapping
	String stream(Holds.QueuePause pause) {
		return pause.campaign() ? "campaign" : "transactional";
	}

	/** A destination to be held. */
	record HoldDestinationInput(String destination, String reason, @Nullable Instant until) {
	}

}

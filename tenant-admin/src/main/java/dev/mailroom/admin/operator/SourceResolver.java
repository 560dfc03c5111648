package dev.mailroom.admin.operator;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.mailroom.admin.graphql.Payload;
import dev.mailroom.admin.operator.OperatorResolver.Console;
import dev.mailroom.operator.ManagedSources;
import dev.mailroom.operator.Operator;
import dev.mailroom.source.PoolChoice;
import dev.mailroom.source.SendingPool;
import dev.mailroom.source.SendingSource;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** Local addresses from which mail is sent, and their pools. */
@Controller
class SourceResolver {

	private final ManagedSources sources;

	SourceResolver(ManagedSources sources) {
		this.sources = sources;
	}

	@SchemaMapping(typeName = "Operator")
	Mono<List<ManagedSources.Source>> sendingAddresses(Console console) {
		return this.sources.sources(console.operator());
	}

	@SchemaMapping(typeName = "Operator")
	Mono<List<ManagedSources.Pool>> pools(Console console) {
		return this.sources.pools(console.operator());
	}

	@MutationMapping
	Mono<Map<String, Object>> operatorSaveSendingAddress(Operator operator, @Argument SendingSource input) {
		return Payload.of("address", this.sources.save(operator, input));
	}

	@MutationMapping
	Mono<Map<String, Object>> operatorRemoveSendingAddress(Operator operator, @Argument String name) {
		return Payload.of("removed", this.sources.removeSource(operator, name));
	}

	@MutationMapping
	Mono<Map<String, Object>> operatorStartSourceWarmup(Operator operator, @Argument StartSourceWarmupInput input) {
		return Payload.of("source", this.sources.startWarmup(operator, input.source(), input.large(), input.other()));
	}

	@MutationMapping
	Mono<Map<String, Object>> operatorStopSourceWarmup(Operator operator, @Argument String source) {
		return Payload.of("source", this.sources.stopWarmup(operator, source));
	}

	@MutationMapping
	Mono<Map<String, Object>> operatorSavePool(Operator operator, @Argument SendingPool input) {
		return Payload.of("pool", this.sources.save(operator, input));
	}

	@MutationMapping
	Mono<Map<String, Object>> operatorRemovePool(Operator operator, @Argument String name) {
		return Payload.of("removed", this.sources.removePool(operator, name));
	}

	@MutationMapping
	Mono<Map<String, Object>> operatorChoosePool(Operator operator, @Argument ChoosePoolInput input) {
		@Nullable Boolean campaign = Optional.ofNullable(input.stream()).map("campaign"::equals).orElse(null);
		return Payload.of("chosen", this.sources.choose(operator, input.kind(), input.key(), campaign, input.pool()));
	}

	/** A warm-up to be started; a plan that is null is the usual one. */
	record StartSourceWarmupInput(String source, @Nullable List<Long> large, @Nullable List<Long> other) {
	}

	/**
	 * A choice of a pool.
	 *
	 * @param stream null for both
	 * @param pool null to remove the choice
	 */
	record ChoosePoolInput(PoolChoice.Kind kind, @Nullable String key, @Nullable String stream, @Nullable String pool) {
	}

}

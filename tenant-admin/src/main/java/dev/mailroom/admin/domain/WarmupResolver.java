package dev.mailroom.admin.domain;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.admin.graphql.Payload;
import dev.mailroom.domain.Domain;
import dev.mailroom.domain.Warmup;
import dev.mailroom.domain.Warmups;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.BatchMapping;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** Warm-ups of sending domains. */
@Controller
class WarmupResolver {

	private final Warmups warmups;

	WarmupResolver(Warmups warmups) {
		this.warmups = warmups;
	}

	/** The warm-ups of all domains of a list, by account. */
	@BatchMapping(typeName = "Domain")
	Mono<Map<Domain, Warmup>> warmup(List<Domain> domains) {
		return Flux.fromStream(() -> domains.stream().map(Domain::accountId).distinct())
			.concatMap((account) -> of(account,
					domains.stream().filter((domain) -> domain.accountId().equals(account)).distinct().toList()))
			.collectMap(Map.Entry::getKey, Map.Entry::getValue);
	}

	private Flux<Map.Entry<Domain, Warmup>> of(UUID account, List<Domain> domains) {
		return this.warmups.findAll(Scope.of(account), domains.stream().map(Domain::id).toList())
			.flatMapIterable((found) -> domains.stream()
				.filter((domain) -> found.containsKey(domain.id()))
				.map((domain) -> Map.entry(domain, found.get(domain.id())))
				.toList());
	}

	@SchemaMapping(typeName = "Domain")
	List<Long> warmupPlan() {
		return this.warmups.plan();
	}

	@MutationMapping
	Mono<Map<String, Object>> startDomainWarmup(Scope scope, @Argument UUID id) {
		return Payload.of("domain", this.warmups.start(scope, id));
	}

	@MutationMapping
	Mono<Map<String, Object>> stopDomainWarmup(Scope scope, @Argument UUID id) {
		return Payload.of("domain", this.warmups.stop(scope, id));
	}

}

package dev.mailroom.admin.account;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.mailroom.Scope;
import dev.mailroom.account.ApiKey;
import dev.mailroom.account.ApiKeys;
import dev.mailroom.admin.graphql.Connection;
import dev.mailroom.admin.graphql.PageArguments;
import dev.mailroom.admin.graphql.Payload;
import dev.mailroom.admin.graphql.Viewer;
import dev.mailroom.domain.Domain;
import dev.mailroom.domain.Domains;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.BatchMapping;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** API keys. */
@Controller
class ApiKeyResolver {

	private final ApiKeys keys;

	private final Domains domains;

	ApiKeyResolver(ApiKeys keys, Domains domains) {
		this.keys = keys;
		this.domains = domains;
	}

	@SchemaMapping
	Mono<Connection<ApiKey>> apiKeys(Viewer viewer, PageArguments page) {
		return Connection.byPosition(page, (request) -> this.keys.read(viewer.scope(), request));
	}

	@SchemaMapping
	Mono<ApiKey> apiKey(Viewer viewer, @Argument UUID id) {
		return this.keys.find(viewer.scope(), id);
	}

	/** The domains of keys, with one query for each account. */
	@BatchMapping
	Mono<Map<ApiKey, Domain>> domain(List<ApiKey> apiKeys) {
		return Flux.fromIterable(apiKeys.stream().collect(Collectors.groupingBy(ApiKey::accountId)).entrySet())
			.concatMap((account) -> domains(Scope.of(account.getKey()), account.getValue()))
			.collect(HashMap::new, Map::putAll);
	}

	private Mono<Map<ApiKey, Domain>> domains(Scope scope, List<ApiKey> apiKeys) {
		Set<UUID> ids = apiKeys.stream().map(ApiKey::domainId).collect(Collectors.toSet());
		return this.domains.findAll(scope, ids).map((found) -> {
			Map<UUID, Domain> byId = found.stream().collect(Collectors.toMap(Domain::id, Function.identity()));
			Map<ApiKey, Domain> domains = new HashMap<>();
			apiKeys.stream()
				.filter((key) -> byId.containsKey(key.domainId()))
				.forEach((key) -> domains.put(key, Objects.requireNonNull(byId.get(key.domainId()))));
			return domains;
		});
	}

	@MutationMapping
	Mono<Map<String, Object>> createApiKey(Scope scope, @Argument CreateApiKeyInput input) {
		return Payload.fields(this.keys.create(scope, input.domainId(), input.name(), input.permissions())
			.map((issued) -> Map.of("apiKey", issued.key(), "key", issued.text())));
	}

	@MutationMapping
	Mono<Map<String, Object>> updateApiKey(Scope scope, @Argument UpdateApiKeyInput input) {
		return Payload.of("apiKey", this.keys.update(scope, input.id(), input.name(), input.permissions()));
	}

	@MutationMapping
	Mono<Map<String, Object>> revokeApiKey(Scope scope, @Argument UUID id) {
		return Payload.of("deletedId", this.keys.delete(scope, id).thenReturn(id));
	}

	/** An API key to create. */
	record CreateApiKeyInput(UUID domainId, String name, @Nullable List<@Nullable String> permissions) {
	}

	/** Changes of an API key; null fields stay unchanged. */
	record UpdateApiKeyInput(UUID id, @Nullable String name, @Nullable List<@Nullable String> permissions) {
	}

}

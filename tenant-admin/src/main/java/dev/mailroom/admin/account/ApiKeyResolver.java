package dev.mailroom.admin.account;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.account.ApiKey;
import dev.mailroom.account.ApiKeys;
import dev.mailroom.account.Caller;
import dev.mailroom.account.Person;
import dev.mailroom.account.Team;
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

	private final Team team;

	ApiKeyResolver(ApiKeys keys, Domains domains, Team team) {
		this.keys = keys;
		this.domains = domains;
		this.team = team;
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

	/** The people who created keys, with one query for each account. */
	@BatchMapping
	Mono<Map<ApiKey, String>> createdBy(List<ApiKey> apiKeys) {
		return Flux.fromIterable(apiKeys.stream().collect(Collectors.groupingBy(ApiKey::accountId)).entrySet())
			.concatMap((account) -> this.team.list(Scope.of(account.getKey())).map((people) -> {
				Map<UUID, String> names = people.stream()
					.collect(Collectors.toMap(Person::id,
							(person) -> person.name().isBlank() ? person.email() : person.name()));
				Map<ApiKey, String> creators = new HashMap<>();
				account.getValue()
					.stream()
					.filter((key) -> key.createdBy() != null && names.containsKey(key.createdBy()))
					.forEach((key) -> creators.put(key, Objects.requireNonNull(names.get(key.createdBy()))));
				return creators;
			}))
			.collect(HashMap::new, Map::putAll);
	}

	private Mono<Map<ApiKey, Domain>> domains(Scope scope, List<ApiKey> apiKeys) {
		Set<UUID> ids = apiKeys.stream()
			.flatMap((key) -> Stream.ofNullable(key.domainId()))
			.collect(Collectors.toSet());
		return this.domains.findAll(scope, ids).map((found) -> {
			Map<UUID, Domain> byId = found.stream().collect(Collectors.toMap(Domain::id, Function.identity()));
			Map<ApiKey, Domain> domains = new HashMap<>();
			apiKeys.stream()
				.filter((key) -> key.domainId() != null && byId.containsKey(key.domainId()))
				.forEach((key) -> domains.put(key, Objects.requireNonNull(byId.get(key.domainId()))));
			return domains;
		});
	}

	@MutationMapping
	Mono<Map<String, Object>> createApiKey(Caller caller, @Argument CreateApiKeyInput input) {
		return Payload
			.fields(create(caller, input).map((issued) -> Map.of("apiKey", issued.key(), "key", issued.text())));
	}

	private Mono<ApiKey.Issued> create(Caller caller, CreateApiKeyInput input) {
		if (Boolean.TRUE.equals(input.account()) == (input.domainId() != null)) {
			return Mono.error(() -> Refusal.INVALID_REQUEST.field("domainId",
					"is required: the id of one of your verified domains, or account in place of it"));
		}
		return (input.domainId() != null)
				? this.keys.create(caller.scope(), input.domainId(), input.name(), input.permissions(),
						input.expiresAt())
				: this.keys.createForAccount(caller.scope(), caller.member(), input.name(), input.permissions(),
						input.expiresAt());
	}

	@MutationMapping
	Mono<Map<String, Object>> updateApiKey(Caller caller, @Argument UpdateApiKeyInput input) {
		return Payload.of("apiKey",
				this.keys.update(caller.scope(), caller.member(), input.id(), input.name(), input.permissions()));
	}

	@MutationMapping
	Mono<Map<String, Object>> rotateApiKey(Caller caller, @Argument UUID id) {
		return Payload.fields(this.keys.rotate(caller.scope(), caller.member(), id)
			.map((issued) -> Map.of("apiKey", issued.key(), "key", issued.text())));
	}

	@MutationMapping
	Mono<Map<String, Object>> revokeApiKey(Scope scope, @Argument UUID id) {
		return Payload.of("deletedId", this.keys.delete(scope, id).thenReturn(id));
	}

	/** An API key to create: of a domain, or of the whole account. */
	record CreateApiKeyInput(@Nullable UUID domainId, @Nullable Boolean account, String name,
			@Nullable List<@Nullable String> permissions, @Nullable Instant expiresAt) {
	}

	/** Changes of an API key; null fields stay unchanged. */
	record UpdateApiKeyInput(UUID id, @Nullable String name, @Nullable List<@Nullable String> permissions) {
	}

}

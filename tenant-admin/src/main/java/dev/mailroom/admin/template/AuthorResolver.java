package dev.mailroom.admin.template;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;

import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.account.ApiKey;
import dev.mailroom.account.ApiKeys;
import dev.mailroom.account.Person;
import dev.mailroom.account.Team;
import dev.mailroom.template.TemplateVersion;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.BatchMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** Names of those who saved and published templates. */
@Controller
class AuthorResolver {

	private final Team team;

	private final ApiKeys keys;

	AuthorResolver(Team team, ApiKeys keys) {
		this.team = team;
		this.keys = keys;
	}

	@SchemaMapping(typeName = "TemplateVersion")
	boolean byApiKey(TemplateVersion version) {
		return version.apiKeyId() != null;
	}

	@BatchMapping(typeName = "TemplateVersion")
	Mono<Map<TemplateVersion, String>> author(List<TemplateVersion> versions) {
		Map<UUID, List<TemplateVersion>> byAccount = versions.stream()
			.collect(Collectors.groupingBy(TemplateVersion::accountId));
		return Flux.fromIterable(byAccount.entrySet())
			.concatMap((account) -> names(Scope.of(account.getKey()), account.getValue()).map((names) -> {
				Map<TemplateVersion, String> authors = new HashMap<>();
				for (TemplateVersion version : account.getValue()) {
					@Nullable UUID id = author(version);
					if (id != null && names.containsKey(id)) {
						authors.put(version, Objects.requireNonNull(names.get(id)));
					}
				}
				return authors;
			}))
			.collect(HashMap::new, Map::putAll);
	}

	/** Names of the people and the API keys by their ids. */
	private Mono<Map<UUID, String>> names(Scope scope, List<TemplateVersion> versions) {
		Mono<Map<UUID, String>> people = this.team.list(scope)
			.flatMapIterable((list) -> list)
			.collectMap(Person::id, (person) -> person.name().isBlank() ? person.email() : person.name());
		List<UUID> ids = versions.stream().map(TemplateVersion::apiKeyId).filter(Objects::nonNull).distinct().toList();
		return Flux.fromIterable(ids)
			.concatMap((id) -> this.keys.find(scope, id).onErrorResume(Refused.class, (_) -> Mono.empty()))
			.collectMap(ApiKey::id, ApiKey::name)
			.zipWith(people, (names, others) -> {
				names.putAll(others);
				return names;
			});
	}

	private static @Nullable UUID author(TemplateVersion version) {
		return (version.apiKeyId() != null) ? version.apiKeyId() : version.memberId();
	}

}

package dev.mailroom.api.account;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.account.Accounts;
import dev.mailroom.account.ApiKey;
import dev.mailroom.account.ApiKeys;
import dev.mailroom.account.Caller;
import dev.mailroom.api.http.Ids;
import dev.mailroom.api.http.PageSize;
import dev.mailroom.api.http.Success;
import dev.mailroom.domain.Domain;
import dev.mailroom.domain.Domains;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** REST endpoints for API keys. */
@RestController
@RequestMapping("/api-keys")
class ApiKeyController {

	private final ApiKeys keys;

	private final Domains domains;

	private final Accounts accounts;

	ApiKeyController(ApiKeys keys, Domains domains, Accounts accounts) {
		this.keys = keys;
		this.domains = domains;
		this.accounts = accounts;
	}

	@PostMapping
	@ResponseStatus(HttpStatus.CREATED)
	Mono<Success> create(Caller caller, @RequestBody CreateKey body) {
		return (Boolean.TRUE.equals(body.account()) ? createForAccount(caller, body)
				: this.keys.create(caller.scope(), domainId(body.domainId()), body.keyName(), body.permissions()))
			.map((issued) -> Success.of("apiKey", KeyView.created(issued))
				.withMessage("The API key was created. Store it now: it is not displayed again."));
	}

	private Mono<ApiKey.Issued> createForAccount(Caller caller, CreateKey body) {
		if (body.domainId() != null) {
			throw Refusal.INVALID_REQUEST.field("domainId", "must be absent with account: the key is for all domains");
		}
		return this.keys.createForAccount(caller.scope(), caller.member(), body.keyName(), body.permissions(),
				expiresAt(body.expiresAt()));
	}

	@GetMapping("/current")
	Mono<Success> current(Scope scope) {
		Mono<Optional<Domain>> domain = Mono.justOrEmpty(scope.domain())
			.flatMap((id) -> this.domains.find(scope, id))
			.map(Optional::of)
			.defaultIfEmpty(Optional.empty());
		return Mono
			.zip(this.keys.find(scope, Objects.requireNonNull(scope.apiKey())), domain, this.accounts.find(scope))
			.map((found) -> Success.data(KeyView.Current.of(found.getT1(), found.getT2().orElse(null), found.getT3())));
	}

	@GetMapping
	Mono<Success> list(Scope scope, @PageSize(defaultLimit = 50, maxLimit = 100, cursor = true) Page.Request page) {
		return this.keys.list(scope, page).map((keys) -> Success.list("apiKeys", keys.map(KeyView::of)));
	}

	@GetMapping("/{id}")
	Mono<Success> find(Scope scope, @PathVariable UUID id) {
		return this.keys.find(scope, id).map((key) -> Success.of("apiKey", KeyView.of(key)));
	}

	@PatchMapping("/{id}")
	Mono<Success> update(Caller caller, @PathVariable UUID id, @RequestBody UpdateKey body) {
		return this.keys.update(caller.scope(), caller.member(), id, body.keyName(), body.permissions())
			.map((key) -> Success.of("apiKey", KeyView.of(key)));
	}

	@DeleteMapping("/{id}")
	Mono<Success> delete(Scope scope, @PathVariable UUID id) {
		return this.keys.delete(scope, id).thenReturn(Success.deleted(id));
	}

	private static UUID domainId(@Nullable String text) {
		return Ids.read(text).orElseThrow(() -> {
			String message = "is required: the id of one of your verified domains";
			return Refusal.INVALID_REQUEST.field("domainId", message);
		});
	}

	private static @Nullable Instant expiresAt(@Nullable String text) {
		try {
			return (text != null) ? OffsetDateTime.parse(text).toInstant() : null;
		}
		catch (DateTimeException _) {
			String message = "must be an ISO 8601 date and time with an offset, such as 2030-01-31T09:00:00Z";
			throw Refusal.INVALID_REQUEST.field("expires_at", message);
		}
	}

	/**
	 * Body of POST /api-keys.
	 *
	 * @param account whether the key is for the whole account, in place of a domain
	 */
	record CreateKey(@Nullable String domainId, @Nullable Boolean account, @Nullable String keyName,
			@Nullable List<@Nullable String> permissions, @Nullable String expiresAt) {
	}

	/** Body of PATCH /api-keys/:id; missing fields stay unchanged. */
	record UpdateKey(@Nullable String keyName, @Nullable List<@Nullable String> permissions) {
	}

}

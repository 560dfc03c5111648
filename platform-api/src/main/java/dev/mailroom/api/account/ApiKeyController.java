package dev.mailroom.api.account;

import java.util.List;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.account.ApiKeys;
import dev.mailroom.api.http.Ids;
import dev.mailroom.api.http.PageSize;
import dev.mailroom.api.http.Success;
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

	ApiKeyController(ApiKeys keys) {
		this.keys = keys;
	}

	@PostMapping
	@ResponseStatus(HttpStatus.CREATED)
	Mono<Success> create(Scope scope, @RequestBody CreateKey body) {
		return this.keys.create(scope, domainId(body.domainId()), body.keyName(), body.permissions())
			.map((issued) -> Success.of("apiKey", KeyView.Created.of(issued))
				.withMessage("The API key was created. Store it now: it is not displayed again."));
	}

	@GetMapping
	Mono<Success> list(Scope scope, @PageSize(defaultLimit = 50, maxLimit = 100) Page.Request page) {
		return this.keys.list(scope, page).map((keys) -> Success.list("apiKeys", keys.map(KeyView::of)));
	}

	@GetMapping("/{id}")
	Mono<Success> find(Scope scope, @PathVariable UUID id) {
		return this.keys.find(scope, id).map((key) -> Success.of("apiKey", KeyView.of(key)));
	}

	@PatchMapping("/{id}")
	Mono<Success> update(Scope scope, @PathVariable UUID id, @RequestBody UpdateKey body) {
		return this.keys.update(scope, id, body.keyName(), body.permissions())
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

	/** Body of POST /api-keys. */
	record CreateKey(@Nullable String domainId, @Nullable String keyName,
			@Nullable List<@Nullable String> permissions) {
	}

	/** Body of PATCH /api-keys/:id; missing fields stay unchanged. */
	record UpdateKey(@Nullable String keyName, @Nullable List<@Nullable String> permissions) {
	}

}

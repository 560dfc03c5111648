package dev.mailroom.api.webhook;

import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.api.http.PageSize;
import dev.mailroom.api.http.Success;
import dev.mailroom.webhook.WebhookEndpoint;
import dev.mailroom.webhook.WebhookEndpoints;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** REST endpoints for webhook endpoints. */
@RestController
@RequestMapping("/webhooks/endpoints")
class EndpointController {

	private final WebhookEndpoints endpoints;

	EndpointController(WebhookEndpoints endpoints) {
		this.endpoints = endpoints;
	}

	@PostMapping
	@ResponseStatus(HttpStatus.CREATED)
	Mono<Success> create(Scope scope, @RequestBody CreateEndpoint body) {
		return this.endpoints.create(scope, body.form()).map(EndpointController::issued);
	}

	/** Lists endpoints; one page holds all that an account can have. */
	@GetMapping
	Mono<Success> list(Scope scope, @PageSize(defaultLimit = 100, maxLimit = 100, cursor = true) Page.Request page) {
		return this.endpoints.list(scope, page)
			.map((endpoints) -> Success.list("endpoints", endpoints.map(EndpointView::of)));
	}

	@GetMapping("/{id}")
	Mono<Success> find(Scope scope, @PathVariable UUID id) {
		return this.endpoints.find(scope, id)
			.map((endpoint) -> Success.of("endpoint", EndpointView.Detail.of(endpoint)));
	}

	@PutMapping("/{id}")
	Mono<Success> update(Scope scope, @PathVariable UUID id, @RequestBody UpdateEndpoint body) {
		return this.endpoints.update(scope, id, body.change())
			.map((changed) -> Success.of("endpoint", EndpointView.Changed.of(changed)));
	}

	@DeleteMapping("/{id}")
	Mono<Success> delete(Scope scope, @PathVariable UUID id) {
		return this.endpoints.delete(scope, id).thenReturn(Success.deleted(id));
	}

	@PostMapping("/{id}/rotate-secret")
	Mono<Success> rotate(Scope scope, @PathVariable UUID id) {
		return this.endpoints.rotate(scope, id).map(EndpointController::issued);
	}

	private static Success issued(WebhookEndpoint.Issued issued) {
		return Success.of("endpoint", EndpointView.Issued.of(issued))
			.withMessage("Store the secret now: it is not displayed again.");
	}

}

package dev.mailroom.api.webhook;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.api.http.IdempotencyKey;
import dev.mailroom.api.http.Idempotent;
import dev.mailroom.api.http.PageSize;
import dev.mailroom.api.http.Success;
import dev.mailroom.webhook.WebhookAttempt;
import dev.mailroom.webhook.WebhookDeliveries;
import dev.mailroom.webhook.WebhookDelivery;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** REST endpoints for webhook calls. */
@RestController
@RequestMapping("/webhooks")
class DeliveryController {

	private final WebhookDeliveries deliveries;

	private final Idempotent idempotent;

	DeliveryController(WebhookDeliveries deliveries, Idempotent idempotent) {
		this.deliveries = deliveries;
		this.idempotent = idempotent;
	}

	@PostMapping("/endpoints/{id}/test")
	Mono<ResponseEntity<Object>> test(Scope scope, @PathVariable UUID id, @Nullable IdempotencyKey key) {
		return answer(scope, key, this.deliveries.test(scope, id));
	}

	@GetMapping("/endpoints/{id}/deliveries")
	Mono<Success> list(Scope scope, @PathVariable UUID id,
			@PageSize(defaultLimit = 50, maxLimit = 100, cursor = true) Page.Request page) {
		return this.deliveries.list(scope, id, page)
			.flatMap((listed) -> attempts(scope, listed.items()).map((attempts) -> Success.list("deliveries",
					listed.map((delivery) -> DeliveryView.of(delivery, attempts)))));
	}

	@PostMapping("/endpoints/{id}/recover")
	Mono<ResponseEntity<Object>> recover(Scope scope, @PathVariable UUID id, @RequestBody Recover body,
			@Nullable IdempotencyKey key) {
		return this.idempotent.answer(scope, key, HttpStatus.OK,
				this.deliveries.recover(scope, id, body.since(), body.until()).map(Success::data));
	}

	@PostMapping("/deliveries/{id}/redeliver")
	Mono<ResponseEntity<Object>> redeliver(Scope scope, @PathVariable UUID id, @Nullable IdempotencyKey key) {
		return answer(scope, key, this.deliveries.redeliver(scope, id));
	}

	private Mono<ResponseEntity<Object>> answer(Scope scope, @Nullable IdempotencyKey key,
			Mono<WebhookDelivery> delivery) {
		return this.idempotent.answer(scope, key, HttpStatus.OK,
				delivery.flatMap((queued) -> attempts(scope, List.of(queued))
					.map((attempts) -> Success.of("delivery", DeliveryView.of(queued, attempts)))));
	}

	private Mono<Map<UUID, Collection<WebhookAttempt>>> attempts(Scope scope, List<WebhookDelivery> deliveries) {
		return this.deliveries.attempts(scope, deliveries.stream().map(WebhookDelivery::id).toList());
	}

	/** The body of POST /webhooks/endpoints/:id/recover. */
	record Recover(@Nullable String since, @Nullable String until) {
	}

}

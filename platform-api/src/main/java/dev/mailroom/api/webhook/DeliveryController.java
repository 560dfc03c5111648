package dev.mailroom.api.webhook;

import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.api.http.PageSize;
import dev.mailroom.api.http.Success;
import dev.mailroom.api.idempotency.IdempotencyKey;
import dev.mailroom.api.idempotency.Idempotent;
import dev.mailroom.webhook.WebhookDeliveries;
import dev.mailroom.webhook.WebhookDelivery;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
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
			.map((deliveries) -> Success.list("deliveries", deliveries.map(DeliveryView::of)));
	}

	@PostMapping("/deliveries/{id}/redeliver")
	Mono<ResponseEntity<Object>> redeliver(Scope scope, @PathVariable UUID id, @Nullable IdempotencyKey key) {
		return answer(scope, key, this.deliveries.redeliver(scope, id));
	}

	private Mono<ResponseEntity<Object>> answer(Scope scope, @Nullable IdempotencyKey key,
			Mono<WebhookDelivery> delivery) {
		return this.idempotent.answer(scope, key, HttpStatus.OK,
				delivery.map((it) -> Success.of("delivery", DeliveryView.of(it))));
	}

}

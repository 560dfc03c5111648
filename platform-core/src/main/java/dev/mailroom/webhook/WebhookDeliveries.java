package dev.mailroom.webhook;

import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import dev.mailroom.event.Event;
import dev.mailroom.event.Events;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Calls to the webhook endpoints of an account, pending and past. */
@Service
public class WebhookDeliveries {

	private final WebhookEndpointStore endpoints;

	private final WebhookDeliveryStore store;

	private final Transactions transactions;

	private final Events events;

	WebhookDeliveries(WebhookEndpointStore endpoints, WebhookDeliveryStore store, Transactions transactions,
			Events events) {
		this.endpoints = endpoints;
		this.store = store;
		this.transactions = transactions;
		this.events = events;
	}

	/**
	 * Queues a call with a {@code webhook.test} event, regardless of the endpoint's kinds
	 * of events and even if it is inactive, so that it can be tested before it is
	 * activated.
	 * @throws dev.mailroom.Refused {@code Webhook endpoint not found}
	 */
	public Mono<WebhookDelivery> test(Scope scope, UUID endpointId) {
		Mono<WebhookDelivery> delivery = endpoint(scope, endpointId).flatMap((endpoint) -> {
			Event event = endpoint.testEvent();
			return this.events.recordOne(event).flatMap((id) -> this.store.insert(endpoint, id, event.kind()));
		});
		return this.transactions.in(scope, delivery);
	}

	/**
	 * Lists the calls to an endpoint, newest first.
	 * @throws dev.mailroom.Refused {@code Webhook endpoint not found}
	 */
	public Mono<Page<WebhookDelivery>> list(Scope scope, UUID endpointId, Page.Request page) {
		Mono<Page<WebhookDelivery>> deliveries = endpoint(scope, endpointId)
			.thenMany(this.store.list(scope, endpointId, page))
			.collectList()
			.flatMap((rows) -> this.store.count(scope, endpointId)
				.map((total) -> Page.cut(rows, page, total, WebhookDelivery::cursor)));
		return this.transactions.list(scope, deliveries);
	}

	/**
	 * Queues a call again, with all retries.
	 * @throws dev.mailroom.Refused {@code Webhook delivery not found}
	 */
	public Mono<WebhookDelivery> redeliver(Scope scope, UUID id) {
		return this.transactions.in(scope, this.store.requeue(scope, id))
			.switchIfEmpty(Mono.error(() -> WebhookRefusals.noDelivery(id)));
	}

	/** State of all accounts' webhooks, for monitoring. */
	public Mono<Backlog> backlog() {
		return this.transactions.acrossAccounts(this.store.backlog());
	}

	private Mono<WebhookEndpoint> endpoint(Scope scope, UUID id) {
		return this.endpoints.find(scope, id).switchIfEmpty(Mono.error(() -> WebhookRefusals.missing(id)));
	}

	/**
	 * State of all accounts' webhooks.
	 *
	 * @param oldestSeconds time for which the oldest pending call has been due
	 * @param active number of endpoints to which events are posted
	 * @param inactive number of endpoints that are switched off
	 */
	public record Backlog(double oldestSeconds, long active, long inactive) {
	}

}

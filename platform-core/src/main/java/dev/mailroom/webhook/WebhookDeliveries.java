package dev.mailroom.webhook;

import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import dev.mailroom.event.Event;
import dev.mailroom.event.Events;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** What an account's endpoints are owed. */
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
	 * Owes an endpoint an event to try it out by, whatever it is told of otherwise, and
	 * also where it is switched off: trying comes before switching on.
	 */
	public Mono<WebhookDelivery> test(Scope scope, UUID endpointId) {
		Mono<WebhookDelivery> owed = endpoint(scope, endpointId).flatMap((endpoint) -> {
			Event event = endpoint.test();
			return this.events.recordOne(event).flatMap((id) -> this.store.owe(endpoint, id, event.kind()));
		});
		return this.transactions.in(scope, owed);
	}

	/** What an endpoint was owed, newest first. */
	public Mono<Page<WebhookDelivery>> list(Scope scope, UUID endpointId, Page.Request page) {
		Mono<Page<WebhookDelivery>> found = endpoint(scope, endpointId)
			.thenMany(this.store.list(scope, endpointId, page))
			.collectList()
			.flatMap((deliveries) -> this.store.count(scope, endpointId)
				.map((total) -> Page.cut(deliveries, page, total, WebhookDelivery::cursor)));
		return this.transactions.in(scope, found);
	}

	/** Tells an endpoint once more, with all the patience of the first time. */
	public Mono<WebhookDelivery> redeliver(Scope scope, UUID id) {
		return this.transactions.in(scope, this.store.again(scope, id))
			.switchIfEmpty(Mono.error(() -> WebhookRefusals.noDelivery(id)));
	}

	private Mono<WebhookEndpoint> endpoint(Scope scope, UUID id) {
		return this.endpoints.find(scope, id).switchIfEmpty(Mono.error(() -> WebhookRefusals.missing(id)));
	}

}

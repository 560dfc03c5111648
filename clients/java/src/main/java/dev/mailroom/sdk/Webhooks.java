package dev.mailroom.sdk;

import java.util.function.Consumer;

/**
 * Operations of <code>webhooks</code>.
 */
public final class Webhooks {

	final Transport transport;

	Webhooks(Transport transport) {
		this.transport = transport;
	}

	/**
	 * List webhook endpoints, newest first. Permission: webhooks.read.
	 */
	public Items<WebhookEndpoint> list(WebhooksListQuery query) {
		return this.transport.list(new Call("webhooks.list", "GET", "/webhooks/endpoints").query(query), "endpoints",
				WebhookEndpoint::of);
	}

	/**
	 * List webhook endpoints, newest first. Permission: webhooks.read.
	 */
	public Items<WebhookEndpoint> list() {
		return list(new WebhooksListQuery());
	}

	/**
	 * List webhook endpoints, newest first. Permission: webhooks.read.
	 */
	public Items<WebhookEndpoint> list(Consumer<WebhooksListQuery> query) {
		WebhooksListQuery fields = new WebhooksListQuery();
		query.accept(fields);
		return list(fields);
	}

	/**
	 * Create a webhook endpoint. The secret is shown in this response only. The account's
	 * address must be verified. Permission: webhooks.write.
	 */
	public IssuedWebhookEndpoint create(NewWebhookEndpoint body) {
		return IssuedWebhookEndpoint
			.of(this.transport.json(new Call("webhooks.create", "POST", "/webhooks/endpoints").json(body))
				.object("data")
				.object("endpoint"));
	}

	/**
	 * Create a webhook endpoint. The secret is shown in this response only. The account's
	 * address must be verified. Permission: webhooks.write.
	 */
	public IssuedWebhookEndpoint create(Consumer<NewWebhookEndpoint> fields) {
		NewWebhookEndpoint body = new NewWebhookEndpoint();
		fields.accept(body);
		return create(body);
	}

	/**
	 * Show a webhook endpoint without its secret. Permission: webhooks.read.
	 */
	public WebhookEndpointDetail get(String endpointId) {
		return WebhookEndpointDetail.of(this.transport
			.json(new Call("webhooks.get", "GET", "/webhooks/endpoints/" + Transport.encoded(endpointId)))
			.object("data")
			.object("endpoint"));
	}

	/**
	 * Change the state, the URL or the event kinds of a webhook endpoint.
	 * <code>active: true</code> also ends the series of failures for which the endpoint
	 * was switched off. Calls that were pending when an endpoint was switched off are
	 * made if it is switched on again within an hour. Permission: webhooks.write.
	 */
	public ChangedWebhookEndpoint update(String endpointId, WebhookEndpointChange body) {
		return ChangedWebhookEndpoint.of(this.transport
			.json(new Call("webhooks.update", "PUT", "/webhooks/endpoints/" + Transport.encoded(endpointId)).json(body))
			.object("data")
			.object("endpoint"));
	}

	/**
	 * Change the state, the URL or the event kinds of a webhook endpoint.
	 * <code>active: true</code> also ends the series of failures for which the endpoint
	 * was switched off. Calls that were pending when an endpoint was switched off are
	 * made if it is switched on again within an hour. Permission: webhooks.write.
	 */
	public ChangedWebhookEndpoint update(String endpointId, Consumer<WebhookEndpointChange> fields) {
		WebhookEndpointChange body = new WebhookEndpointChange();
		fields.accept(body);
		return update(endpointId, body);
	}

	/**
	 * Delete a webhook endpoint. Permission: webhooks.write.
	 */
	public void delete(String endpointId) {
		this.transport
			.nothing(new Call("webhooks.delete", "DELETE", "/webhooks/endpoints/" + Transport.encoded(endpointId)));
	}

	/**
	 * Rotate the secret of a webhook endpoint. Calls are signed with both secrets for 24
	 * hours. Permission: webhooks.write.
	 */
	public IssuedWebhookEndpoint rotateSecret(String endpointId) {
		return IssuedWebhookEndpoint.of(this.transport
			.json(new Call("webhooks.rotateSecret", "POST",
					"/webhooks/endpoints/" + Transport.encoded(endpointId) + "/rotate-secret"))
			.object("data")
			.object("endpoint"));
	}

	/**
	 * Send a <code>webhook.test</code> event to an endpoint. It is sent even if the
	 * endpoint is switched off. Permission: webhooks.write.
	 */
	public WebhookDelivery test(String endpointId) {
		return WebhookDelivery
			.of(this.transport
				.json(new Call("webhooks.test", "POST",
						"/webhooks/endpoints/" + Transport.encoded(endpointId) + "/test")
					.repeatable())
				.object("data")
				.object("delivery"));
	}

	/**
	 * List an endpoint's deliveries with their attempts, newest first. Permission:
	 * webhooks.read.
	 */
	public Items<WebhookDelivery> deliveries(String endpointId, WebhooksDeliveriesQuery query) {
		return this.transport.list(
				new Call("webhooks.deliveries", "GET",
						"/webhooks/endpoints/" + Transport.encoded(endpointId) + "/deliveries")
					.query(query),
				"deliveries", WebhookDelivery::of);
	}

	/**
	 * List an endpoint's deliveries with their attempts, newest first. Permission:
	 * webhooks.read.
	 */
	public Items<WebhookDelivery> deliveries(String endpointId) {
		return deliveries(endpointId, new WebhooksDeliveriesQuery());
	}

	/**
	 * List an endpoint's deliveries with their attempts, newest first. Permission:
	 * webhooks.read.
	 */
	public Items<WebhookDelivery> deliveries(String endpointId, Consumer<WebhooksDeliveriesQuery> query) {
		WebhooksDeliveriesQuery fields = new WebhooksDeliveriesQuery();
		query.accept(fields);
		return deliveries(endpointId, fields);
	}

	/**
	 * Repeat the failed deliveries of a period, and send the events that were missed in
	 * it. Failed deliveries include those that wait for another attempt, which is made at
	 * once. Events are missed while an endpoint is switched off. Those from before its
	 * creation are left out. One request queues at most 5000 failed deliveries and 5000
	 * missed events, oldest first; repeat it while <code>more</code> is true. Permission:
	 * webhooks.write.
	 */
	public WebhookRecoveryResult recover(String endpointId, WebhookRecovery body) {
		return WebhookRecoveryResult.of(this.transport
			.json(new Call("webhooks.recover", "POST",
					"/webhooks/endpoints/" + Transport.encoded(endpointId) + "/recover")
				.repeatable()
				.json(body))
			.object("data"));
	}

	/**
	 * Repeat the failed deliveries of a period, and send the events that were missed in
	 * it. Failed deliveries include those that wait for another attempt, which is made at
	 * once. Events are missed while an endpoint is switched off. Those from before its
	 * creation are left out. One request queues at most 5000 failed deliveries and 5000
	 * missed events, oldest first; repeat it while <code>more</code> is true. Permission:
	 * webhooks.write.
	 */
	public WebhookRecoveryResult recover(String endpointId, Consumer<WebhookRecovery> fields) {
		WebhookRecovery body = new WebhookRecovery();
		fields.accept(body);
		return recover(endpointId, body);
	}

	/**
	 * Show the secret that signs the calls of <code>GET /webhooks/listen</code>. It stays
	 * the same until the operator replaces the platform's master key. No endpoint uses
	 * it. Permission: webhooks.read.
	 */
	public ListenSecret listenSecret() {
		return ListenSecret.of(this.transport.json(new Call("webhooks.listenSecret", "GET", "/webhooks/listen/secret"))
			.object("data"));
	}

	/**
	 * List the kinds of events, each with an example of its call. Permission:
	 * webhooks.read.
	 */
	public EventTypes eventTypes() {
		return EventTypes
			.of(this.transport.json(new Call("webhooks.eventTypes", "GET", "/webhooks/event-types")).object("data"));
	}

	/**
	 * Repeat a webhook delivery. It is repeated at once, even if the endpoint is switched
	 * off, and has all retries again. Permission: webhooks.write.
	 */
	public WebhookDelivery redeliver(String deliveryId) {
		return WebhookDelivery.of(this.transport
			.json(new Call("webhooks.redeliver", "POST",
					"/webhooks/deliveries/" + Transport.encoded(deliveryId) + "/redeliver")
				.repeatable())
			.object("data")
			.object("delivery"));
	}

}

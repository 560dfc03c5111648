package dev.mailroom.worker.webhook;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.database.Transactions;
import dev.mailroom.event.Event;
import dev.mailroom.event.EventKind;
import dev.mailroom.event.Events;
import dev.mailroom.webhook.WebhookAttempt;
import dev.mailroom.webhook.WebhookDeliveries;
import dev.mailroom.webhook.WebhookEndpoint;
import dev.mailroom.webhook.WebhookEndpoints;

import org.springframework.context.ApplicationContext;

import static dev.mailroom.Await.await;

/** A new account with an HTTP server for its webhook calls. */
final class Subscriber implements AutoCloseable {

	final Scope scope = Given.sender("free");

	final HookServer server = new HookServer();

	private final ApplicationContext context;

	Subscriber(ApplicationContext context) {
		this.context = context;
	}

	/** Adds an endpoint for {@code contact.created} at the server. */
	WebhookEndpoint.Issued endpoint() {
		return endpoint(this.server.url());
	}

	/** Adds an endpoint for {@code contact.created}. */
	WebhookEndpoint.Issued endpoint(String url) {
		return await(this.context.getBean(WebhookEndpoints.class)
			.create(this.scope, new WebhookEndpoint.Form(url, List.of("contact.created"), null)));
	}

	/** Records an event and returns its id. */
	UUID record() {
		Event event = new Event(this.scope.account(), EventKind.CONTACT_CREATED, null, Map.of("name", "Zoë"));
		return await(this.context.getBean(Transactions.class)
			.in(this.scope, this.context.getBean(Events.class).recordOne(event)));
	}

	/** Status, number of attempts and last response of the call of an event. */
	String status(UUID event) {
		return Given
			.rows("select status || ' ' || attempt || ' ' || coalesce(last_status::text, '-') from webhook_delivery "
					+ "where event_id = '%s'", event)
			.getFirst();
	}

	/** The id of the call of an event. */
	UUID delivery(UUID event) {
		return UUID.fromString(Given.rows("select id from webhook_delivery where event_id = '%s'", event).getFirst());
	}

	List<WebhookAttempt> attempts(UUID event) {
		UUID delivery = delivery(event);
		return List.copyOf(await(this.context.getBean(WebhookDeliveries.class).attempts(this.scope, List.of(delivery)))
			.getOrDefault(delivery, List.of()));
	}

	/** The ids of the events that the server received, in order. */
	List<String> received() {
		return this.server.received().stream().map((call) -> call.header("webhook-id")).toList();
	}

	@Override
	public void close() {
		this.server.close();
		Given.run("update webhook_endpoint set active = false where account_id = '%s'", this.scope.account());
	}

}

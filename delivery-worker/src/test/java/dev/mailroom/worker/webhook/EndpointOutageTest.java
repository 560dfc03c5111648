package dev.mailroom.worker.webhook;

import java.util.UUID;
import java.util.stream.Stream;

import dev.mailroom.Given;
import dev.mailroom.webhook.WebhookDeliveries;
import dev.mailroom.webhook.WebhookEndpoint;
import dev.mailroom.webhook.WebhookEndpoints;
import dev.mailroom.worker.Surroundings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

/** Endpoints that fail for so long that they are switched off. */
@Surroundings.WorkerAlone
class EndpointOutageTest {

	@Autowired
	WebhookEndpoints endpoints;

	@Autowired
	WebhookDeliveries deliveries;

	@Autowired
	ApplicationContext context;

	private Subscriber subscriber;

	private HookServer server;

	@BeforeEach
	void subscribe() {
		this.subscriber = new Subscriber(this.context);
		this.server = this.subscriber.server;
	}

	@AfterEach
	void close() {
		this.subscriber.close();
	}

	@Test
	void anOutageThatLastsIsReportedToTheOwnerAndEachEventArrivesOnceAfterwards() {
		this.server.answers(500);
		WebhookEndpoint endpoint = this.subscriber.endpoint().endpoint();
		UUID givenUp = this.subscriber.record();
		until("the whole schedule", () -> this.subscriber.status(givenUp).equals("failed 10 500"));
		assertThat(this.server.received()).extracting(HookServer.Received::body)
			.hasSize(10)
			.containsOnly(this.server.received().getFirst().body());
		Given.run("update webhook_state set failing_since = failing_since - interval '5 days' where endpoint_id = '%s'",
				endpoint.id());
		UUID waiting = this.subscriber.record();
		until("the end of the calls", () -> !find(endpoint).active());
		assertThat(find(endpoint).disabledReason()).isEqualTo("All calls failed for 5 days");
		UUID missed = this.subscriber.record();
		until("the mail to the owner", this::isNotified);

		this.server.answers(204);
		int before = this.server.received().size();
		await(this.endpoints.update(this.subscriber.scope, endpoint.id(),
				new WebhookEndpoint.Change(true, null, null)));
		assertThat(await(this.deliveries.recover(this.subscriber.scope, endpoint.id(), "2020-01-01T00:00:00Z", null))
			.count()).as("given up and missed").isEqualTo(2);
		until("all calls", () -> Stream.of(givenUp, waiting, missed)
			.allMatch((event) -> this.subscriber.status(event).startsWith("delivered")));
		UUID next = this.subscriber.record();
		until("the next call", () -> this.subscriber.status(next).equals("delivered 1 204"));
		assertThat(this.subscriber.received().stream().skip(before)).containsExactlyInAnyOrder(givenUp.toString(),
				waiting.toString(), missed.toString(), next.toString());
	}

	@Test
	void anEndpointThatIsGoneIsSwitchedOffAndItsOwnerIsNotified() {
		this.server.answers(410);
		WebhookEndpoint endpoint = this.subscriber.endpoint().endpoint();
		UUID event = this.subscriber.record();
		until("the record", () -> this.subscriber.status(event).equals("failed 1 410"));
		WebhookEndpoint disabled = find(endpoint);
		assertThat(disabled.active()).isFalse();
		assertThat(disabled.disabledReason()).contains("410");
		until("the mail", this::isNotified);
		this.subscriber.record();
		assertThat(this.server.received()).hasSize(1);
	}

	private WebhookEndpoint find(WebhookEndpoint endpoint) {
		return await(this.endpoints.find(this.subscriber.scope, endpoint.id()));
	}

	private boolean isNotified() {
		return !Given
			.rows("select id from email where subject = 'A webhook endpoint was switched off' and '%s@owner.test' = "
					+ "any(to_emails)", this.subscriber.scope.account())
			.isEmpty();
	}

}

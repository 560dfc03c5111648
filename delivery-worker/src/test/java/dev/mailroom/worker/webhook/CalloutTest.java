package dev.mailroom.worker.webhook;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import dev.mailroom.Given;
import dev.mailroom.mail.outcome.DeliveryResult;
import dev.mailroom.mail.outcome.Outcomes;
import dev.mailroom.observability.MailSpans;
import dev.mailroom.webhook.LeasedEndpoint;
import dev.mailroom.webhook.WebhookAttempt;
import dev.mailroom.webhook.WebhookCalls;
import dev.mailroom.webhook.WebhookDeliveries;
import dev.mailroom.webhook.WebhookEndpoint;
import dev.mailroom.webhook.WebhookEndpoints;
import dev.mailroom.worker.Surroundings;
import dev.mailroom.worker.dispatch.LoopHealth;
import dev.mailroom.worker.dispatch.WorkLoops;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

@Surroundings.WorkerAlone
class CalloutTest {

	@Autowired
	WebhookEndpoints endpoints;

	@Autowired
	WebhookDeliveries deliveries;

	@Autowired
	WebhookCalls calls;

	@Autowired
	Callout callout;

	@Autowired
	CallClient client;

	@Autowired
	CalloutMeters calloutMeters;

	@Autowired
	MailSpans spans;

	@Autowired
	WorkLoops loops;

	@Autowired
	LoopHealth health;

	@Autowired
	MeterRegistry meters;

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
	void aCallIsSignedAccordingToStandardWebhooksAndRecorded() throws Exception {
		this.server.answers(200, Map.of(), "thanks", 0);
		WebhookEndpoint.Issued endpoint = this.subscriber.endpoint();
		UUID event = this.subscriber.record();
		until("the record", () -> this.subscriber.status(event).equals("delivered 1 200"));
		HookServer.Received call = this.server.received().getFirst();
		assertThat(call.method()).isEqualTo("POST");
		assertThat(call.path()).isEqualTo("/hooks?x=1");
		assertThat(call.header("Host")).isEqualTo("localhost:" + this.server.port());
		assertThat(call.header("Content-Type")).isEqualTo("application/json");
		assertThat(call.header("webhook-id")).isEqualTo(event.toString());
		assertThat(call.body()).startsWith("{\"id\":\"" + event + "\",\"type\":\"contact.created\",\"api_version\":")
			.endsWith("\"data\":{\"name\":\"Zoë\"}}");
		assertThat(call.header("webhook-signature")).isEqualTo("v1," + signature(endpoint.secret(), call));
		WebhookAttempt attempt = this.subscriber.attempts(event).getFirst();
		assertThat(attempt.status()).isEqualTo(200);
		assertThat(attempt.answer()).isEqualTo("thanks");
		assertThat(attempt.error()).isNull();
	}

	@Test
	void anEndpointGetsTheHeadersOfSvixOnlyIfItAsksForThem() {
		UUID id = this.subscriber.endpoint().endpoint().id();
		this.subscriber.record();
		until("the call", () -> this.server.received().size() == 1);
		assertThat(this.server.received().getFirst().header("svix-id")).isEqualTo("null");
		await(this.endpoints.update(this.subscriber.scope, id, new WebhookEndpoint.Change(null, null, null, "svix")));
		this.subscriber.record();
		until("the second call", () -> this.server.received().size() == 2);
		HookServer.Received call = this.server.received().getLast();
		assertThat(List.of("id", "timestamp", "signature"))
			.allSatisfy((name) -> assertThat(call.header("svix-" + name)).isNotEqualTo("null")
				.isEqualTo(call.header("webhook-" + name)));
	}

	@Test
	void theOldSecretAlsoSignsAfterARotation() throws Exception {
		WebhookEndpoint.Issued old = this.subscriber.endpoint();
		WebhookEndpoint.Issued rotated = await(this.endpoints.rotate(this.subscriber.scope, old.endpoint().id()));
		this.subscriber.record();
		until("the call", () -> !this.server.received().isEmpty());
		HookServer.Received call = this.server.received().getFirst();
		assertThat(call.header("webhook-signature"))
			.isEqualTo("v1," + signature(rotated.secret(), call) + " v1," + signature(old.secret(), call));
	}

	@Test
	void aFailedCallIsRepeatedWithTheSameIdAndBytes() {
		this.server.answers(500, Map.of(), "broken", 0);
		this.subscriber.endpoint();
		UUID event = this.subscriber.record();
		until("an attempt", () -> !this.server.received().isEmpty());
		this.server.answers(204);
		until("the record", () -> this.subscriber.status(event).startsWith("delivered"));
		List<HookServer.Received> received = this.server.received();
		assertThat(received).hasSizeGreaterThan(1);
		assertThat(received).extracting(HookServer.Received::body).containsOnly(received.getFirst().body());
		assertThat(received).extracting((call) -> call.header("webhook-id")).containsOnly(event.toString());
		assertThat(this.subscriber.attempts(event).getFirst().error()).isEqualTo("The endpoint responded with 500");
		assertThat(this.subscriber.attempts(event).getFirst().answer()).isEqualTo("broken");
		assertThat(this.subscriber.attempts(event).getLast().error()).isNull();
		assertThat(List.of("accepted", "rejected")).allSatisfy((
				result) -> assertThat(this.meters.get("mailroom.webhook.calls").tag("result", result).counter().count())
					.isPositive());
		assertThat(this.meters.get("mailroom.webhook.first.call").timer().count()).isPositive();
	}

	@Test
	void retryAfterIsHonoured() {
		this.server.answers(503, Map.of("Retry-After", "1800"), "", 0);
		WebhookEndpoint endpoint = this.subscriber.endpoint().endpoint();
		UUID event = this.subscriber.record();
		until("the record", () -> this.subscriber.status(event).equals("pending 1 503"));
		assertThat(Given
			.rows("select due_at > now() + interval '25 minutes' from webhook_delivery where event_id = '%s'", event))
			.containsExactly("t");
		assertThat(Given.rows(
				"select next_due_at > now() + interval '25 minutes' from webhook_state " + "where endpoint_id = '%s'",
				endpoint.id()))
			.containsExactly("t");
	}

	@Test
	void atMostFourKilobytesOfTheResponseAreStored() {
		this.server.answers(200, Map.of(), "x\0".repeat(50_000), 0);
		this.subscriber.endpoint();
		UUID event = this.subscriber.record();
		until("the record", () -> this.subscriber.status(event).equals("delivered 1 200"));
		assertThat(this.subscriber.attempts(event).getFirst().answer()).hasSize(4096).startsWith("x\uFFFDx");
	}

	@Test
	void aHangingEndpointDelaysNoOtherAndHoldsNoConnection() {
		this.server.hangs();
		this.subscriber.endpoint();
		for (int i = 0; i < 4; i++) {
			this.subscriber.record();
		}
		until("the calls that hang", () -> this.server.open() >= 2);
		try (Subscriber other = new Subscriber(this.context)) {
			other.server.answers(204, Map.of(), "", 50);
			other.endpoint();
			for (int i = 0; i < 10; i++) {
				other.record();
			}
			until("all calls of the other", () -> other.received().size() == 10);
			assertThat(other.server.maxOpen()).isLessThanOrEqualTo(2);
			until("no transaction that waits", () -> Given.rows(
					"select pid from pg_stat_activity where usename = 'mailroom' and state like 'idle in transaction%%' "
							+ "and xact_start < now() - interval '500 milliseconds'")
				.isEmpty());
			until("a timeout", () -> !Given
				.rows("select id from webhook_attempt where account_id = '%s' and error = 'No response within 3 s'",
						this.subscriber.scope.account())
				.isEmpty());
		}
	}

	@Test
	void aTestReachesAnInactiveEndpoint() {
		WebhookEndpoint endpoint = this.subscriber.endpoint().endpoint();
		await(this.endpoints.update(this.subscriber.scope, endpoint.id(),
				new WebhookEndpoint.Change(false, null, null)));
		this.subscriber.record();
		await(this.deliveries.test(this.subscriber.scope, endpoint.id()));
		until("the test", () -> !this.server.received().isEmpty());
		assertThat(this.server.received()).hasSize(1);
		assertThat(this.server.received().getFirst().body()).contains("\"type\":\"webhook.test\"");
	}

	@Test
	void aSettlementBeginsTheCallsThatItQueuedBeforeTheNextPoll() throws Exception {
		stop();
		CalloutSettings settings = new CalloutSettings(Duration.ofDays(1), Duration.ofSeconds(3), null);
		try (AnnotationConfigApplicationContext worker = new AnnotationConfigApplicationContext()) {
			worker.registerBean(Callout.class, () -> new Callout(this.calls, this.client, this.calloutMeters,
					this.spans, settings, this.loops, this.health));
			worker.refresh();
			this.subscriber.endpoint();
			for (int i = 0; i < 3; i++) {
				UUID event = this.subscriber.record();
				worker.publishEvent(
						new Outcomes.Settled(DeliveryResult.DELIVERED, "transactional", 1, List.of(), List.of()));
				until("the record", () -> this.subscriber.status(event).equals("delivered 1 204"));
			}
		}
		finally {
			this.callout.start();
		}
	}

	@Test
	void aCallWhoseResultWasNotRecordedIsRepeatedWithItsId() throws Exception {
		stop();
		WebhookEndpoint endpoint = this.subscriber.endpoint().endpoint();
		UUID event = this.subscriber.record();
		LeasedEndpoint leased = this.calls.lease(before(endpoint.id()), 1, 5).endpoints().getFirst();
		assertThat(leased.endpointId()).isEqualTo(endpoint.id());
		assertThat(this.client.call(leased, leased.calls().getFirst()).isAccepted()).isTrue();
		Given.run("update webhook_state set lease_until = now() where endpoint_id = '%s'", endpoint.id());
		this.callout.start();
		until("the record", () -> this.subscriber.status(event).equals("delivered 1 204"));
		assertThat(this.server.received()).hasSize(2);
		assertThat(this.server.received()).extracting((call) -> call.header("webhook-id") + call.body())
			.containsOnly(event + leased.calls().getFirst().body());
	}

	@Test
	void aStopBeginsNoCallAndRecordsThoseInProgress() throws Exception {
		this.server.answers(204, Map.of(), "", 1000);
		this.subscriber.endpoint();
		List<UUID> recorded = Stream.generate(this.subscriber::record).limit(6).toList();
		until("calls in progress", () -> this.server.open() > 0);
		stop();
		int begun = this.server.received().size();
		assertThat(begun).isLessThanOrEqualTo(4);
		assertThat(recorded).filteredOn((event) -> this.subscriber.status(event).equals("delivered 1 204"))
			.hasSize(begun);
		assertThat(
				Given.rows("select endpoint_id from webhook_state where account_id = '%s' and lease_until is not null",
						this.subscriber.scope.account()))
			.isEmpty();
		this.server.answers(204);
		this.callout.start();
		until("all records",
				() -> recorded.stream().allMatch((event) -> this.subscriber.status(event).startsWith("delivered")));
		assertThat(this.server.received()).hasSize(recorded.size());
	}

	private void stop() throws InterruptedException {
		CountDownLatch stopped = new CountDownLatch(1);
		this.callout.stop(stopped::countDown);
		assertThat(stopped.await(60, TimeUnit.SECONDS)).isTrue();
	}

	/** The id directly before that of the endpoint. */
	private static UUID before(UUID endpoint) {
		return new UUID(endpoint.getMostSignificantBits(), endpoint.getLeastSignificantBits() - 1);
	}

	private static String signature(String secret, HookServer.Received call) throws Exception {
		Mac mac = Mac.getInstance("HmacSHA256");
		mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.substring("whsec_".length())), "HmacSHA256"));
		String signed = call.header("webhook-id") + "." + call.header("webhook-timestamp") + "." + call.body();
		return Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
	}

}

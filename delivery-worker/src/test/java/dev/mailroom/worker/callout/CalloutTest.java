package dev.mailroom.worker.callout;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import dev.mailroom.event.Event;
import dev.mailroom.event.Events;
import dev.mailroom.event.Kind;
import dev.mailroom.webhook.LeasedEndpoint;
import dev.mailroom.webhook.WebhookAttempt;
import dev.mailroom.webhook.WebhookCalls;
import dev.mailroom.webhook.WebhookDeliveries;
import dev.mailroom.webhook.WebhookEndpoint;
import dev.mailroom.webhook.WebhookEndpoints;
import dev.mailroom.worker.Surroundings;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

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
	Events events;

	@Autowired
	Transactions transactions;

	@Autowired
	MeterRegistry meters;

	private final Scope scope = Given.sender("free");

	private final HookServer server = new HookServer();

	@AfterEach
	void close() {
		this.server.close();
		Given.run("update webhook_endpoint set active = false where account_id = '%s'", this.scope.account());
	}

	@Test
	void aCallIsSignedAccordingToStandardWebhooksAndRecorded() throws Exception {
		this.server.answers(200, Map.of(), "thanks", 0);
		WebhookEndpoint.Issued endpoint = endpoint(this.server.url());
		UUID event = record();
		until("the record", () -> status(event).equals("delivered 1 200"));
		HookServer.Received call = this.server.received().getFirst();
		assertThat(call.method()).isEqualTo("POST");
		assertThat(call.path()).isEqualTo("/hooks?x=1");
		assertThat(call.header("Host")).isEqualTo("localhost:" + this.server.port());
		assertThat(call.header("Content-Type")).isEqualTo("application/json");
		assertThat(call.header("webhook-id")).isEqualTo(event.toString());
		assertThat(call.body()).startsWith("{\"id\":\"" + event + "\",\"type\":\"contact.created\",\"api_version\":")
			.endsWith("\"data\":{\"name\":\"Zoë\"}}");
		assertThat(call.header("webhook-signature")).isEqualTo("v1," + signature(endpoint.secret(), call));
		WebhookAttempt attempt = attempts(event).getFirst();
		assertThat(attempt.status()).isEqualTo(200);
		assertThat(attempt.answer()).isEqualTo("thanks");
		assertThat(attempt.error()).isNull();
	}

	@Test
	void theOldSecretAlsoSignsAfterARotation() throws Exception {
		WebhookEndpoint.Issued old = endpoint(this.server.url());
		WebhookEndpoint.Issued rotated = await(this.endpoints.rotate(this.scope, old.endpoint().id()));
		record();
		until("the call", () -> !this.server.received().isEmpty());
		HookServer.Received call = this.server.received().getFirst();
		assertThat(call.header("webhook-signature"))
			.isEqualTo("v1," + signature(rotated.secret(), call) + " v1," + signature(old.secret(), call));
	}

	@Test
	void aFailedCallIsRepeatedWithTheSameIdAndBytes() {
		this.server.answers(500, Map.of(), "broken", 0);
		endpoint(this.server.url());
		UUID event = record();
		until("an attempt", () -> !this.server.received().isEmpty());
		this.server.answers(204);
		until("the record", () -> status(event).startsWith("delivered"));
		List<HookServer.Received> received = this.server.received();
		assertThat(received).hasSizeGreaterThan(1);
		assertThat(received).extracting(HookServer.Received::body).containsOnly(received.getFirst().body());
		assertThat(received).extracting((call) -> call.header("webhook-id")).containsOnly(event.toString());
		assertThat(attempts(event).getFirst().error()).isEqualTo("The endpoint responded with 500");
		assertThat(attempts(event).getFirst().answer()).isEqualTo("broken");
		assertThat(attempts(event).getLast().error()).isNull();
		assertThat(List.of("accepted", "rejected")).allSatisfy((
				result) -> assertThat(this.meters.get("mailroom.webhook.calls").tag("result", result).counter().count())
					.isPositive());
		assertThat(this.meters.get("mailroom.webhook.first.call").timer().count()).isPositive();
	}

	@Test
	void retryAfterIsHonoured() {
		this.server.answers(503, Map.of("Retry-After", "1800"), "", 0);
		WebhookEndpoint endpoint = endpoint(this.server.url()).endpoint();
		UUID event = record();
		until("the record", () -> status(event).equals("pending 1 503"));
		assertThat(Given
			.rows("select due_at > now() + interval '25 minutes' from webhook_delivery where event_id = '%s'", event))
			.containsExactly("t");
		assertThat(Given.rows(
				"select next_due_at > now() + interval '25 minutes' from webhook_state " + "where endpoint_id = '%s'",
				endpoint.id()))
			.containsExactly("t");
	}

	@Test
	void redirectsAreNotFollowed() {
		try (HookServer target = new HookServer()) {
			this.server.answers(302, Map.of("Location", target.url(), "Retry-After", "3600"), "", 0);
			endpoint(this.server.url());
			UUID event = record();
			until("the record", () -> status(event).equals("pending 1 302"));
			assertThat(target.received()).isEmpty();
		}
	}

	@Test
	void atMostFourKilobytesOfTheResponseAreStored() {
		this.server.answers(200, Map.of(), "x\0".repeat(50_000), 0);
		endpoint(this.server.url());
		UUID event = record();
		until("the record", () -> status(event).equals("delivered 1 200"));
		assertThat(attempts(event).getFirst().answer()).hasSize(4096).startsWith("x\uFFFDx");
	}

	@Test
	void anEndpointThatIsGoneIsSwitchedOffAndItsOwnerIsNotified() {
		this.server.answers(410);
		WebhookEndpoint endpoint = endpoint(this.server.url()).endpoint();
		UUID event = record();
		until("the record", () -> status(event).equals("failed 1 410"));
		WebhookEndpoint disabled = await(this.endpoints.find(this.scope, endpoint.id()));
		assertThat(disabled.active()).isFalse();
		assertThat(disabled.disabledReason()).contains("410");
		until("the mail", () -> !Given
			.rows("select id from email where subject = 'A webhook endpoint was switched off' and '%s@owner.test' = "
					+ "any(to_emails)", this.scope.account())
			.isEmpty());
		record();
		assertThat(this.server.received()).hasSize(1);
	}

	@Test
	void aHangingEndpointDelaysNoOtherAndHoldsNoConnection() {
		this.server.answers(204, Map.of(), "", 50);
		try (HookServer hanging = new HookServer()) {
			hanging.hangs();
			endpoint(hanging.url());
			for (int i = 0; i < 4; i++) {
				record();
			}
			until("the calls that hang", () -> hanging.open() >= 2);
			Scope other = Given.sender("free");
			await(this.endpoints.create(other,
					new WebhookEndpoint.Draft(this.server.url(), List.of("contact.created"), null)));
			for (int i = 0; i < 10; i++) {
				record(other);
			}
			until("all calls of the other", () -> this.server.received().size() == 10);
			assertThat(this.server.maxOpen()).isLessThanOrEqualTo(2);
			until("no transaction that waits", () -> Given.rows(
					"select pid from pg_stat_activity where usename = 'mailroom' and state like 'idle in transaction%%' "
							+ "and xact_start < now() - interval '500 milliseconds'")
				.isEmpty());
			until("a timeout", () -> !Given
				.rows("select id from webhook_attempt where account_id = '%s' and error = 'No response within 3 s'",
						this.scope.account())
				.isEmpty());
		}
	}

	@Test
	void anAddressThatIsNotPublicIsRefusedAtEachAttempt() {
		Surroundings.DNS.publish("A", "rebind.test", "93.184.215.14", "127.0.0.1");
		WebhookEndpoint endpoint = endpoint("https://rebind.test:" + this.server.port() + "/").endpoint();
		UUID event = record();
		until("the first attempt", () -> !attempts(event).isEmpty());
		Surroundings.DNS.publish("A", "rebind.test", "10.0.0.1");
		until("two attempts", () -> attempts(event).size() >= 2);
		Surroundings.DNS.remove("A", "rebind.test");
		Surroundings.DNS.publish("AAAA", "rebind.test", "::ffff:127.0.0.1");
		int before = attempts(event).size();
		await(this.deliveries.redeliver(this.scope, delivery(event)));
		until("a further attempt", () -> attempts(event).size() > before);
		assertThat(attempts(event)).allSatisfy((attempt) -> assertThat(attempt.error())
			.isEqualTo("The host rebind.test has an address that is not public"));
		assertThat(this.server.received()).isEmpty();
		assertThat(await(this.endpoints.find(this.scope, endpoint.id())).failingSince()).isNotNull();
	}

	@Test
	void aLiteralAddressIsCheckedAtTheCall() {
		WebhookEndpoint endpoint = endpoint(this.server.url()).endpoint();
		Given.run("update webhook_endpoint set url = 'http://10.0.0.1:1/' where id = '%s'", endpoint.id());
		UUID event = record();
		until("the attempt", () -> !attempts(event).isEmpty());
		assertThat(attempts(event).getFirst().error()).contains("not public");
	}

	@Test
	void theCertificateMustBeOfTheName() {
		try (HookServer secure = new HookServer(Surroundings.HOOK_CERTIFICATE)) {
			endpoint("https://hook.localhost:" + secure.port() + "/");
			UUID event = record();
			until("the record", () -> status(event).equals("delivered 1 204"));
			Scope other = Given.sender("free");
			await(this.endpoints.create(other, new WebhookEndpoint.Draft(
					"https://other.localhost:" + secure.port() + "/", List.of("contact.created"), null)));
			UUID refused = record(other);
			until("the attempt", () -> !attempts(other, refused).isEmpty());
			assertThat(attempts(other, refused).getFirst().error()).startsWith("TLS failed");
			assertThat(secure.received()).hasSize(1);
		}
	}

	@Test
	void aTestReachesAnInactiveEndpoint() {
		WebhookEndpoint endpoint = endpoint(this.server.url()).endpoint();
		await(this.endpoints.update(this.scope, endpoint.id(), new WebhookEndpoint.Change(false, null, null)));
		record();
		await(this.deliveries.test(this.scope, endpoint.id()));
		until("the test", () -> !this.server.received().isEmpty());
		assertThat(this.server.received()).hasSize(1);
		assertThat(this.server.received().getFirst().body()).contains("\"type\":\"webhook.test\"");
	}

	@Test
	void aCallWhoseResultWasNotRecordedIsRepeatedWithItsId() throws Exception {
		stop();
		WebhookEndpoint endpoint = endpoint(this.server.url()).endpoint();
		UUID event = record();
		LeasedEndpoint leased = await(this.calls.lease(before(endpoint.id()), 1, 5)).endpoints().getFirst();
		assertThat(leased.endpointId()).isEqualTo(endpoint.id());
		assertThat(await(this.client.call(leased, leased.calls().getFirst())).isAccepted()).isTrue();
		Given.run("update webhook_state set lease_until = now() where endpoint_id = '%s'", endpoint.id());
		this.callout.start();
		until("the record", () -> status(event).equals("delivered 1 204"));
		assertThat(this.server.received()).hasSize(2);
		assertThat(this.server.received()).extracting((call) -> call.header("webhook-id") + call.body())
			.containsOnly(event + leased.calls().getFirst().body());
	}

	@Test
	void aStopBeginsNoCallAndRecordsThoseInProgress() throws Exception {
		this.server.answers(204, Map.of(), "", 1000);
		endpoint(this.server.url());
		List<UUID> recorded = List.of(record(), record(), record(), record(), record(), record());
		until("calls in progress", () -> this.server.open() > 0);
		stop();
		int begun = this.server.received().size();
		assertThat(begun).isLessThanOrEqualTo(4);
		assertThat(recorded).filteredOn((event) -> status(event).equals("delivered 1 204")).hasSize(begun);
		assertThat(
				Given.rows("select endpoint_id from webhook_state where account_id = '%s' and lease_until is not null",
						this.scope.account()))
			.isEmpty();
		this.server.answers(204);
		this.callout.start();
		until("all records", () -> recorded.stream().allMatch((event) -> status(event).startsWith("delivered")));
		assertThat(this.server.received()).hasSize(recorded.size());
	}

	private void stop() throws InterruptedException {
		CountDownLatch stopped = new CountDownLatch(1);
		this.callout.stop(stopped::countDown);
		assertThat(stopped.await(60, TimeUnit.SECONDS)).isTrue();
	}

	private WebhookEndpoint.Issued endpoint(String url) {
		return await(
				this.endpoints.create(this.scope, new WebhookEndpoint.Draft(url, List.of("contact.created"), null)));
	}

	private UUID record() {
		return record(this.scope);
	}

	private UUID record(Scope owner) {
		return await(this.transactions.in(owner,
				this.events.recordOne(new Event(owner.account(), Kind.CONTACT_CREATED, null, Map.of("name", "Zoë")))));
	}

	private static String status(UUID event) {
		return Given
			.rows("select status || ' ' || attempt || ' ' || coalesce(last_status::text, '-') from webhook_delivery "
					+ "where event_id = '%s'", event)
			.getFirst();
	}

	private static UUID delivery(UUID event) {
		return UUID.fromString(Given.rows("select id from webhook_delivery where event_id = '%s'", event).getFirst());
	}

	private List<WebhookAttempt> attempts(UUID event) {
		return attempts(this.scope, event);
	}

	private List<WebhookAttempt> attempts(Scope owner, UUID event) {
		UUID delivery = delivery(event);
		return List.copyOf(await(this.deliveries.attempts(owner, List.of(delivery))).getOrDefault(delivery, List.of()));
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

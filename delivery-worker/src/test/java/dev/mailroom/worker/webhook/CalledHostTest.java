package dev.mailroom.worker.webhook;

import java.util.Map;
import java.util.UUID;

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

/** Addresses, redirects and certificates of the hosts that are called. */
@Surroundings.WorkerAlone
class CalledHostTest {

	/** Sink of reverse queries for private addresses (RFC 7535), which serves no HTTP. */
	private static final String UNUSED_PUBLIC_ADDRESS = "192.31.196.1";

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
	void redirectsAreNotFollowed() {
		try (HookServer target = new HookServer()) {
			this.server.answers(302, Map.of("Location", target.url(), "Retry-After", "3600"), "", 0);
			this.subscriber.endpoint();
			UUID event = this.subscriber.record();
			until("the record", () -> this.subscriber.status(event).equals("pending 1 302"));
			assertThat(target.received()).isEmpty();
		}
	}

	@Test
	void anAddressThatIsNotPublicIsRefusedAtEachAttempt() {
		Surroundings.DNS.publish("A", "rebind.test", "93.184.215.14", "127.0.0.1");
		WebhookEndpoint endpoint = this.subscriber.endpoint("https://rebind.test:" + this.server.port() + "/")
			.endpoint();
		UUID event = this.subscriber.record();
		until("the first attempt", () -> !this.subscriber.attempts(event).isEmpty());
		Surroundings.DNS.publish("A", "rebind.test", "10.0.0.1");
		until("two attempts", () -> this.subscriber.attempts(event).size() >= 2);
		Surroundings.DNS.remove("A", "rebind.test");
		Surroundings.DNS.publish("AAAA", "rebind.test", "::ffff:127.0.0.1");
		int before = this.subscriber.attempts(event).size();
		await(this.deliveries.redeliver(this.subscriber.scope, this.subscriber.delivery(event)));
		until("a further attempt", () -> this.subscriber.attempts(event).size() > before);
		assertThat(this.subscriber.attempts(event)).allSatisfy((attempt) -> assertThat(attempt.error())
			.isEqualTo("The host rebind.test has an address that is not public"));
		assertThat(this.server.received()).isEmpty();
		assertThat(await(this.endpoints.find(this.subscriber.scope, endpoint.id())).failingSince()).isNotNull();
	}

	@Test
	void aNameServerThatAnswersAnotherAddressMeanwhileHasNoEffect() {
		UUID endpoint = this.subscriber.endpoint().endpoint().id();
		Given.run("update webhook_endpoint set url = 'http://turn.test:%d/' where id = '%s'", this.server.port(),
				endpoint);
		Surroundings.DNS.rebind("A", "turn.test", UNUSED_PUBLIC_ADDRESS, "127.0.0.1");
		UUID event = this.subscriber.record();
		until("an attempt for each answer", () -> this.subscriber.attempts(event).size() >= 2);
		assertThat(this.subscriber.attempts(event).get(0).error()).isNotNull().doesNotContain("not public");
		assertThat(this.subscriber.attempts(event).get(1).error()).contains("not public");
		assertThat(this.server.received()).isEmpty();
	}

	@Test
	void aLiteralAddressIsCheckedAtTheCall() {
		WebhookEndpoint endpoint = this.subscriber.endpoint().endpoint();
		Given.run("update webhook_endpoint set url = 'http://10.0.0.1:1/' where id = '%s'", endpoint.id());
		UUID event = this.subscriber.record();
		until("the attempt", () -> !this.subscriber.attempts(event).isEmpty());
		assertThat(this.subscriber.attempts(event).getFirst().error()).contains("not public");
	}

	@Test
	void theCertificateMustBeOfTheName() {
		try (HookServer secure = new HookServer(Surroundings.HOOK_CERTIFICATE)) {
			this.subscriber.endpoint("https://hook.localhost:" + secure.port() + "/");
			UUID event = this.subscriber.record();
			until("the record", () -> this.subscriber.status(event).equals("delivered 1 204"));
			try (Subscriber other = new Subscriber(this.context)) {
				other.endpoint("https://other.localhost:" + secure.port() + "/");
				UUID refused = other.record();
				until("the attempt", () -> !other.attempts(refused).isEmpty());
				assertThat(other.attempts(refused).getFirst().error()).startsWith("TLS failed");
			}
			assertThat(secure.received()).hasSize(1);
		}
	}

}

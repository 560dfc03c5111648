package dev.mailroom.api.domain;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.NoArgGenerator;
import com.fasterxml.uuid.UUIDType;
import dev.mailroom.Given;
import dev.mailroom.account.PlatformBootstrap;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import dev.mailroom.domain.TestDns;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.http.MediaType;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import static dev.mailroom.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

/** Requests with a key whose slow steps, DNS and the generation of keys, take time. */
@WithApi
@Import(SlowStepsTest.Ids.class)
@Execution(ExecutionMode.CONCURRENT)
class SlowStepsTest {

	private static final TestDns DNS = new TestDns();

	/** Shorter than the time limit of a lookup. */
	private static final Duration TIMEOUT = Duration.ofSeconds(6);

	@Autowired
	Client client;

	@Autowired
	PlatformBootstrap bootstrap;

	@Autowired
	Ids ids;

	@Autowired
	Person person;

	@DynamicPropertySource
	static void useTestDns(DynamicPropertyRegistry registry) {
		registry.add("mailroom.dns-servers", DNS::address);
	}

	@BeforeEach
	void register() {
		until("the keys of the platform's domain", this.bootstrap::isComplete);
		this.ids.permits.drainPermits();
	}

	@AfterEach
	void release() {
		this.ids.permits.release(Ids.MANY);
	}

	@Test
	void aVerificationHoldsNoTransactionWhileDnsIsSilent() {
		UUID domain = Given.domain(this.person.account());
		String host = "_mailroom." + domain + ".test";
		DNS.silence(host);
		int before = DNS.queries();
		CompletableFuture<Integer> status = post("/" + domain + "/verify", "");
		holdsNoTransaction(status, () -> DNS.queries() > before);
		DNS.publish("TXT", host, "found");
		assertThat(status.join()).isEqualTo(200);
	}

	@Test
	void aCreationAndARotationHoldNoTransactionWhileKeysAreGenerated() {
		CompletableFuture<Integer> created = post("", "{\"name\":\"" + UUID.randomUUID() + ".test\"}");
		holdsNoTransaction(created, this.ids.permits::hasQueuedThreads);
		this.ids.permits.release(2);
		assertThat(created.join()).isEqualTo(201);
		CompletableFuture<Integer> rotated = post("/" + Given.domain(this.person.account()) + "/dkim/rotate", "");
		holdsNoTransaction(rotated, this.ids.permits::hasQueuedThreads);
		this.ids.permits.release(2);
		assertThat(rotated.join()).isEqualTo(200);
	}

	/** Requires that no transaction stays open while the slow step of a request waits. */
	private static void holdsNoTransaction(CompletableFuture<Integer> request, Callable<Boolean> waits) {
		until("the slow step", waits);
		until("no open transaction", TIMEOUT,
				() -> Given.rows(
						"select pid from pg_stat_activity where usename = 'mailroom' and state = 'idle in transaction'")
					.isEmpty());
		assertThat(request).isNotDone();
	}

	/** The lookups of the API need the thread of the common pool, on two processors. */
	private CompletableFuture<Integer> post(String path, String body) {
		return CompletableFuture.supplyAsync(() -> this.client.web()
			.post()
			.uri("/api/domains" + path)
			.headers((headers) -> headers.setBearerAuth(this.person.token()))
			.header("Idempotency-Key", "slow")
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue(body)
			.exchange()
			.expectBody(String.class)
			.returnResult()
			.getStatus()
			.value(), Thread::startVirtualThread);
	}

	/** Ids of the app; each id of a DKIM key takes a permit. */
	@Primary
	static final class Ids extends NoArgGenerator {

		private static final int MANY = 100;

		private final NoArgGenerator ids = Generators.timeBasedEpochRandomGenerator();

		private final Semaphore permits = new Semaphore(MANY);

		@Override
		public UUIDType getType() {
			return this.ids.getType();
		}

		@Override
		public UUID generate() {
			if (Thread.currentThread().getName().startsWith("dkim-keys")) {
				this.permits.acquireUninterruptibly();
			}
			return this.ids.generate();
		}

	}

}

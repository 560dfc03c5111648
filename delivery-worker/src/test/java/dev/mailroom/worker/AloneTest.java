package dev.mailroom.worker;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import dev.mailroom.Given;
import dev.mailroom.TestDatabase;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpStatus;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(classes = DeliveryWorker.class, webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "spring.config.name=" + DeliveryWorker.CONFIG, "spring.kafka.bootstrap-servers=localhost:1",
				"management.prometheus.metrics.export.enabled=true" })
@ContextConfiguration(initializers = TestDatabase.class)
class AloneTest {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	@LocalServerPort
	int port;

	@Test
	void withoutABrokerAWorkerIsAliveAndNotReady() {
		at("/actuator/health/liveness").expectStatus().isOk();
		at("/actuator/health/readiness").expectStatus()
			.isEqualTo(HttpStatus.SERVICE_UNAVAILABLE)
			.expectBody(String.class)
			.value((body) -> assertThat(body).doesNotContain("broker", "localhost"));
	}

	@Test
	void theWorkerThatDispatchesShowsQueueAndQuotas() {
		Given.mail(Given.sender("free"), "a@b.test");
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		String shown = scrape();
		while (!shown.contains("mailroom_queue_depth{")) {
			assertThat(System.nanoTime()).as(shown).isLessThan(deadline);
			LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
			shown = scrape();
		}
		assertThat(shown).contains("phase=\"queued\"", "mailroom_queue_oldest_age_seconds{");
	}

	private String scrape() {
		return at("/actuator/prometheus").expectBody(String.class).returnResult().getResponseBody();
	}

	private WebTestClient.ResponseSpec at(String path) {
		return WebTestClient.bindToServer()
			.baseUrl("http://localhost:" + this.port)
			.responseTimeout(PATIENCE)
			.build()
			.get()
			.uri(path)
			.exchange();
	}

}

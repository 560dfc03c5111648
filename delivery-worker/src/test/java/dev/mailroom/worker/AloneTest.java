package dev.mailroom.worker;

import java.time.Duration;
import java.util.UUID;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

@Surroundings.WorkerAlone
class AloneTest {

	private static final Duration TIMEOUT = Duration.ofSeconds(60);

	@LocalServerPort
	int port;

	@Test
	void aWorkerWithoutABrokerIsAliveAndReadyAndItsHealthIsDown() {
		at("/actuator/health/liveness").expectStatus().isOk();
		Await.until("the worker is ready", TIMEOUT,
				() -> at("/actuator/health/readiness").returnResult().getStatus().value() == 200);
		at("/actuator/health").expectStatus()
			.isEqualTo(HttpStatus.SERVICE_UNAVAILABLE)
			.expectBody(String.class)
			.value((body) -> assertThat(body).doesNotContain("broker", "localhost"));
	}

	@Test
	void theWorkerWithTheActiveDispatcherExportsTheGauges() {
		Given.mail(Given.sender("free"), "a@b.test");
		Await.until("the gauge of the queue", TIMEOUT, () -> scrape().contains("mailroom_queue_depth{"));
		assertThat(scrape()).contains("phase=\"due\"", "mailroom_queue_oldest_age_seconds{");
	}

	@Test
	void aWorkerReportsThatItRuns() {
		Await.until("the row of the worker", TIMEOUT,
				() -> !Given.rows("select host from worker where seen_at > now() - interval '1 minute'").isEmpty());
	}

	@Test
	void theManagementPortChangesOnlyLogLevels() {
		String endpoints = at("/actuator").expectBody(String.class).returnResult().getResponseBody();
		assertThat(JsonMapper.shared().readTree(endpoints).get("_links").propertyNames()).containsExactlyInAnyOrder(
				"self", "health", "health-path", "info", "loggers", "loggers-name", "prometheus");
		String id = UUID.randomUUID().toString();
		for (String path : new String[] { "/actuator/deadletters", "/actuator/pause/" + id,
				"/actuator/transport/" + id }) {
			at(path).expectStatus().isNotFound();
			client().post().uri(path).exchange().expectStatus().isNotFound();
			client().delete().uri(path).exchange().expectStatus().isNotFound();
		}
	}

	@Test
	void aScheduledCampaignStartsAtItsTimeAndIsPausedIfThatTimeIsLongPast() {
		Scope scope = Given.sender("free");
		UUID book = UUID.randomUUID();
		Given.run("insert into contact_book (id, account_id, name, created_at, updated_at) "
				+ "values ('%s', '%s', 'b', now(), now())", book, scope.account());
		Given.run(
				"insert into contact (id, account_id, contact_book_id, email, email_key, created_at, updated_at) "
						+ "values (gen_random_uuid(), '%s', '%s', 'a@b.test', 'a@b.test', now(), now())",
				scope.account(), book);
		UUID due = scheduled(scope, book, "1 second");
		UUID late = scheduled(scope, book, "25 hours");
		Await.until("one running and one paused campaign", TIMEOUT,
				() -> status(due).equals("running") && status(late).equals("paused"));
	}

	private static UUID scheduled(Scope scope, UUID book, String ago) {
		UUID id = UUID.randomUUID();
		Given.run("insert into campaign (id, account_id, name, status, sender, from_email, domain_id, subject, "
				+ "contact_book_id, contact_book_name, text_content, send_at, created_at, updated_at) values "
				+ "('%1$s', '%2$s', 'n', 'scheduled', 'a@%3$s.test', 'a@%3$s.test', '%3$s', 's', '%4$s', 'b', 't', "
				+ "now() - interval '%5$s', now(), now())", id, scope.account(), scope.domain(), book, ago);
		return id;
	}

	private static String status(UUID campaign) {
		return Given.rows("select status from campaign where id = '%s'", campaign).getFirst();
	}

	private String scrape() {
		return at("/actuator/prometheus").expectBody(String.class).returnResult().getResponseBody();
	}

	private WebTestClient.ResponseSpec at(String path) {
		return client().get().uri(path).exchange();
	}

	private WebTestClient client() {
		return WebTestClient.bindToServer().baseUrl("http://localhost:" + this.port).responseTimeout(TIMEOUT).build();
	}

}

package dev.mailroom.worker;

import java.time.Duration;
import java.util.UUID;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import org.junit.jupiter.api.Test;

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
	void aWorkerWithoutABrokerIsAliveButNotReady() {
		at("/actuator/health/liveness").expectStatus().isOk();
		at("/actuator/health/readiness").expectStatus()
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
	void deadLettersAreListedAndRequeuedAtTheManagementPort() {
		UUID mail = Given.mail(Given.sender("free"), "a@b.test");
		Given.run("delete from queue where email_id = '%1$s'; "
				+ "update delivery set status = 'failed', settled_at = now() where email_id = '%1$s'", mail);
		Given.run("insert into dead_letter (id, account_id, what, why, email_id, delivery_id, died_at) "
				+ "select id, account_id, 'mail', 'It cannot be composed', email_id, id, now() from delivery "
				+ "where email_id = '%s'", mail);
		String id = Given.rows("select id from delivery where email_id = '%s'", mail).getFirst();
		at("/actuator/deadletters").expectStatus()
			.isOk()
			.expectBody(String.class)
			.value((body) -> assertThat(body).contains(id, "It cannot be composed"));
		for (boolean requeued : new boolean[] { true, false }) {
			client().post()
				.uri("/actuator/deadletters/" + id)
				.exchange()
				.expectBody()
				.jsonPath("$.requeued")
				.isEqualTo(requeued);
		}
		assertThat(Given.rows("select status from delivery where id = '%s'", id)).containsExactly("pending");
	}

	@Test
	void anAccountsPauseIsLiftedOnceAtTheManagementPort() {
		UUID account = Given.account("free");
		Given.run("update account set paused_reason = 'risky' where id = '%s'", account);
		for (boolean lifted : new boolean[] { true, false }) {
			client().delete()
				.uri("/actuator/pause/" + account)
				.exchange()
				.expectBody()
				.jsonPath("$.lifted")
				.isEqualTo(lifted);
		}
		assertThat(Given.rows("select paused_reason from account where id = '%s'", account)).containsExactly("null");
	}

	@Test
	void anAccountsTransportIsReadChosenAndClearedAtTheManagementPort() {
		UUID account = Given.account("free");
		String path = "/actuator/transport/" + account;
		expect(client().get(), path, 200, "{'account': '" + account + "', 'transport': 'relay', 'chosen': false}");
		expect(client().post(), path + "/mx", 200, "{'transport': 'mx', 'chosen': true}");
		expect(client().get(), path, 200, "{'transport': 'mx', 'chosen': true}");
		assertThat(Given.rows("select transport from account where id = '%s'", account)).containsExactly("mx");
		for (String unknown : new String[] { "simulator", "pigeon" }) {
			expect(client().post(), path + "/" + unknown, 400,
					"{'error': \"There is no transport '" + unknown + "': it is one of mx, relay\"}");
		}
		expect(client().delete(), path, 200, "{'transport': 'relay', 'chosen': false}");
		assertThat(Given.rows("select transport from account where id = '%s'", account)).containsExactly("null");
		for (String unknown : new String[] { UUID.randomUUID().toString(), "ann" }) {
			String error = "{'error': \"There is no account with the id '" + unknown + "'\"}";
			expect(client().get(), "/actuator/transport/" + unknown, 404, error);
			expect(client().post(), "/actuator/transport/" + unknown + "/mx", 404, error);
			expect(client().delete(), "/actuator/transport/" + unknown, 404, error);
		}
	}

	private static void expect(WebTestClient.RequestHeadersUriSpec<?> request, String path, int status, String body) {
		request.uri(path).exchange().expectStatus().isEqualTo(status).expectBody().json(body);
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

package dev.mailroom.api.email;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.account.ApiKeys;
import dev.mailroom.api.Client;
import dev.mailroom.api.WithApi;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

@WithApi
class EmailRoutesTest {

	private final EmailClient client;

	@Autowired
	EmailRoutesTest(Client http, ApiKeys keys) {
		this.client = new EmailClient(http, keys);
	}

	@Test
	void aScheduledMailIsRescheduledAndCancelled() {
		String at = Instant.now().plus(2, ChronoUnit.HOURS).truncatedTo(ChronoUnit.SECONDS).toString();
		String id = this.client.sent(this.client.mail("\"scheduled_at\":\"" + at + "\""));
		String later = Instant.now().plus(3, ChronoUnit.HOURS).truncatedTo(ChronoUnit.SECONDS).toString();
		this.client.patch("/emails/" + id, "{\"send_at\":\"" + later + "\"}")
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.send_at")
			.isEqualTo(later.replace("Z", ".000Z"));
		cancel(id).expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.status")
			.isEqualTo("failed")
			.jsonPath("$.id")
			.isEqualTo(id);
		cancel(id).expectStatus().isBadRequest().expectBody().jsonPath("$.error").isEqualTo("Email already processed");
		this.client.get("/emails/" + id).expectBody().jsonPath("$.last_event").isEqualTo("cancelled");
		this.client.get("/emails/" + id + "/events")
			.expectBody()
			.jsonPath("$.data.events[0].type")
			.isEqualTo("email.cancelled")
			.jsonPath("$.data.events[1].type")
			.isEqualTo("email.scheduled")
			.jsonPath("$.data.pagination.total")
			.isEqualTo(2);
		this.client.get("/emails/" + UUID.randomUUID() + "/events").expectStatus().isNotFound();
	}

	@Test
	void aKeySeesItsOwnDomainAndAForeignIdIsNotFound() {
		String id = this.client.sent(this.client.mail(""));
		String sibling = this.client.key(this.client.account, Given.domain(this.client.account), "emails.read");
		UUID other = Given.account("free");
		String foreign = this.client.key(other, Given.domain(other), "send");
		for (String credential : List.of(sibling, foreign)) {
			String missing = body("/emails/" + UUID.randomUUID(), credential, 404);
			String hidden = body("/emails/" + id, credential, 404);
			assertThat(hidden.replaceAll("[0-9a-f-]{36}", "")).isEqualTo(missing.replaceAll("[0-9a-f-]{36}", ""));
			assertThat(body("/emails/logs", credential, 200)).contains("\"total\":0");
		}
	}

	@Test
	void theListIsFilteredAndPagedAndChecksItsParameters() {
		this.client.sent(this.client.mail(""));
		this.client.sent(this.client.mail(""));
		logs("", 2).jsonPath("$.data.emails[0].from_email").isEqualTo("a@" + this.client.name());
		logs("?status=pending&domain_id=" + this.client.domain, 2);
		logs("?status=delivered", 0);
		logs("?domain_id=" + UUID.randomUUID(), 0);
		logs("?limit=1&page=2", 2).jsonPath("$.data.emails.length()").isEqualTo(1);
		for (String query : List.of("status=unknown", "page=0", "limit=101", "limit=x", "domain_id=nonsense")) {
			this.client.get("/emails/logs?" + query).expectStatus().isBadRequest();
		}
	}

	private WebTestClient.ResponseSpec cancel(String id) {
		return this.client.post("/emails/" + id + "/cancel", "{}");
	}

	private WebTestClient.BodyContentSpec logs(String query, int total) {
		return this.client.get("/emails/logs" + query)
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.data.pagination.total")
			.isEqualTo(total);
	}

	private String body(String path, String credential, int status) {
		return this.client.get(path, credential)
			.expectStatus()
			.isEqualTo(status)
			.expectBody(String.class)
			.returnResult()
			.getResponseBody();
	}

}

package dev.mailroom.api.campaign;

import java.time.Instant;
import java.util.UUID;

import com.jayway.jsonpath.JsonPath;
import dev.mailroom.Given;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;

import org.springframework.http.HttpMethod;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

/** Calls the API as a user with a verified domain and a contact book of two. */
final class CampaignClient {

	final Client http;

	final UUID domain;

	final String book;

	Person person;

	CampaignClient(Client http, Person person) {
		this.http = http;
		this.person = person;
		this.domain = Given.domain(person.account());
		this.book = JsonPath.read(body(post("/api/contact-books", "{\"name\":\"Friends\"}"), 201),
				"$.data.contactBook.id");
		post("/api/contact-books/" + this.book + "/contacts/bulk",
				"[{\"email\":\"a@b.test\"},{\"email\":\"c@d.test\"}]");
	}

	/**
	 * The body of a request that creates a campaign; later fields replace earlier ones.
	 */
	String createBody(String name, String moreFields) {
		return """
				{"name":"%s","from":"Ann <ann@%s.test>","subject":"The subject","contact_book_id":"%s",
				 "html_content":"<p>Hi {{first_name}}</p>"%s}""".formatted(name, this.domain, this.book, moreFields);
	}

	/** A body with a time this many seconds from now. */
	static String sendIn(int seconds) {
		return "{\"send_at\":\"" + Instant.now().plusSeconds(seconds) + "\"}";
	}

	/** The path of a new campaign in a state that may be reachable by the system only. */
	String campaign(String status) {
		String id = JsonPath.read(body(post("/api/campaigns", createBody("n", "")), 201), "$.data.campaign.id");
		Given.run("update campaign set status = '%1$s', "
				+ "send_at = case when '%1$s' = 'scheduled' then now() + interval '1 hour' end, "
				+ "started_at = case when '%1$s' in ('running', 'paused', 'sent') then now() end where id = '%2$s'",
				status, id);
		return "/api/campaigns/" + id;
	}

	int total(String path) {
		return JsonPath.read(body(get(path), 200), "$.data.pagination.total");
	}

	WebTestClient.ResponseSpec get(String path) {
		return this.http.get(this.person.token(), path);
	}

	WebTestClient.ResponseSpec post(String path, String body) {
		return this.http.send(HttpMethod.POST, this.person.token(), path, body);
	}

	WebTestClient.ResponseSpec patch(String path, String body) {
		return this.http.send(HttpMethod.PATCH, this.person.token(), path, body);
	}

	WebTestClient.ResponseSpec perform(String path, String action) {
		return this.http.call(HttpMethod.POST, this.person.token(), path + "/" + action);
	}

	WebTestClient.ResponseSpec postWithKey(String path, String body) {
		return this.http.web()
			.post()
			.uri(path)
			.headers((headers) -> headers.setBearerAuth(this.person.token()))
			.header("Idempotency-Key", "the key")
			.header("Content-Type", "application/json")
			.bodyValue(body)
			.exchange();
	}

	static String body(WebTestClient.ResponseSpec response, int status) {
		return String.valueOf(
				response.expectStatus().isEqualTo(status).expectBody(String.class).returnResult().getResponseBody());
	}

	static void refused(WebTestClient.ResponseSpec response, int status, String error) {
		assertThat((String) JsonPath.read(body(response, status), "$.error")).isEqualTo(error);
	}

}

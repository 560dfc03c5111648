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

/** What somebody does who has a domain and a contact book of two. */
final class Desk {

	final Client client;

	final UUID domain;

	final String book;

	Person person;

	Desk(int port, Person person) {
		this.client = new Client(port);
		this.person = person;
		this.domain = Given.domain(person.account());
		this.book = JsonPath.read(body(post("/api/contact-books", "{\"name\":\"Friends\"}"), 201),
				"$.data.contactBook.id");
		post("/api/contact-books/" + this.book + "/contacts/bulk",
				"[{\"email\":\"a@b.test\"},{\"email\":\"c@d.test\"}]");
	}

	String asked(String name, String more) {
		return """
				{"name":"%s","from":"Ann <ann@%s.test>","subject":"The subject","contact_book_id":"%s",
				 "html_content":"<p>Hi {{first_name}}</p>"%s}""".formatted(name, this.domain, this.book, more);
	}

	static String at(int seconds) {
		return "{\"send_at\":\"" + Instant.now().plusSeconds(seconds) + "\"}";
	}

	/**
	 * The path of a campaign that stands where no route but the system may have put it.
	 */
	String campaign(String status) {
		String id = JsonPath.read(body(post("/api/campaigns", asked("n", "")), 201), "$.data.campaign.id");
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
		return this.client.get(this.person.token(), path);
	}

	WebTestClient.ResponseSpec post(String path, String body) {
		return this.client.send(HttpMethod.POST, this.person.token(), path, body);
	}

	WebTestClient.ResponseSpec patch(String path, String body) {
		return this.client.send(HttpMethod.PATCH, this.person.token(), path, body);
	}

	WebTestClient.ResponseSpec act(String path, String act) {
		return this.client.call(HttpMethod.POST, this.person.token(), path + "/" + act);
	}

	WebTestClient.ResponseSpec keyed(String path, String body) {
		return this.client.web()
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

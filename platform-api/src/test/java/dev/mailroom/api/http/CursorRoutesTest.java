package dev.mailroom.api.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

import com.jayway.jsonpath.JsonPath;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.account.ApiKeys;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import dev.mailroom.api.security.AccountKeys;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpMethod;

import static org.assertj.core.api.Assertions.assertThat;

/** Lists that have cursors for clients that ask with one. */
@WithApi
class CursorRoutesTest {

	private static final int ITEMS = 5;

	@Autowired
	Client client;

	@Autowired
	ApiKeys keys;

	@Autowired
	Person person;

	private UUID domain = new UUID(0, 0);

	private UUID email = new UUID(0, 0);

	private String book = "";

	@BeforeEach
	void account() {
		Given.run("update account set plan = 'unlimited' where id = '%s'", this.person.account());
		this.domain = Given.domain(this.person.account());
		this.email = Given.mail(Scope.of(this.person.account(), this.domain, this.person.account()), "a@b.test");
		this.book = JsonPath.read(post("/api/contact-books", "{\"name\":\"first\"}"), "$.data.contactBook.id");
	}

	@ParameterizedTest
	@ValueSource(strings = { "domains", "api-keys", "templates", "contact-books", "campaigns", "webhooks/endpoints",
			"events" })
	void eachItemOfTheStartIsReadOnceWhileOthersAreAdded(String list) {
		for (int i = 0; i < ITEMS; i++) {
			add(list);
		}
		String path = "/api/" + (list.equals("events") ? "emails/" + this.email + "/events" : list);
		List<String> start = ids(get(path));
		assertThat(start).hasSizeGreaterThanOrEqualTo(ITEMS);
		assertThat(get(path + "?limit=2")).doesNotContain("next_cursor");
		List<String> read = new ArrayList<>();
		String cursor = "";
		while (true) {
			String page = get(path + "?limit=2&cursor=" + cursor);
			read.addAll(ids(page));
			List<String> next = JsonPath.read(page, "$..next_cursor");
			if (next.isEmpty()) {
				break;
			}
			cursor = next.getFirst();
			add(list);
		}
		assertThat(read).isEqualTo(start);
		this.client.get(this.person.token(), path + "?cursor=wrong")
			.expectStatus()
			.isBadRequest()
			.expectBody()
			.jsonPath("$.details[0].field")
			.isEqualTo("cursor");
	}

	@ParameterizedTest
	@ValueSource(strings = { "emails/logs", "suppressions", "inbound" })
	void anEmptyCursorIsTheFirstPageOfEachList(String list) {
		assertThat(get("/api/" + list + "?cursor=").replaceAll("\"request_id\":\"[^\"]*\"", ""))
			.isEqualTo(get("/api/" + list));
	}

	private void add(String list) {
		String name = UUID.randomUUID().toString();
		switch (list) {
			case "domains" -> Given.domain(this.person.account());
			case "api-keys" -> AccountKeys.of(this.keys, this.person.account(), "usage.read");
			case "events" -> Given.run("insert into event (id, account_id, email_id, kind, created_at) values "
					+ "(uuidv7(), '%s', '%s', 'email.sent', now())", this.person.account(), this.email);
			case "templates" -> post("/api/templates", """
					{"name": "%s", "subject": "s", "text_content": "x"}""".formatted(name));
			case "contact-books" -> post("/api/contact-books", "{\"name\":\"" + name + "\"}");
			case "campaigns" -> post("/api/campaigns", """
					{"name": "%s", "from": "a@%s.test", "subject": "s", "text_content": "x", "contact_book_id": "%s"}"""
				.formatted(name, this.domain, this.book));
			default -> post("/api/webhooks/endpoints", """
					{"url": "https://example.com/%s", "events": ["email.sent"]}""".formatted(name));
		}
	}

	private static List<String> ids(String page) {
		return JsonPath.read(page, "$.data.*[*].id");
	}

	private String get(String path) {
		return new String(Objects.requireNonNull(this.client.get(this.person.token(), path)
			.expectStatus()
			.isOk()
			.expectBody()
			.returnResult()
			.getResponseBody()), StandardCharsets.UTF_8);
	}

	private String post(String path, String json) {
		return new String(Objects.requireNonNull(this.client.send(HttpMethod.POST, this.person.token(), path, json)
			.expectStatus()
			.isCreated()
			.expectBody()
			.returnResult()
			.getResponseBody()), StandardCharsets.UTF_8);
	}

}

package dev.mailroom.api.email;

import java.util.List;
import java.util.UUID;

import com.jayway.jsonpath.JsonPath;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

@WithApi
class LogRoutesTest {

	@Autowired
	ApplicationContext context;

	@Autowired
	Client client;

	@Autowired
	Person person;

	@Test
	void aPageHasACursorUnlessItIsTheLast() {
		Scope sender = Scope.of(this.person.account(), Given.domain(this.person.account()), UUID.randomUUID());
		for (int i = 0; i < 3; i++) {
			Given.mail(sender, i + "@c.test");
		}
		String first = logs("?limit=2");
		assertThat(JsonPath.<List<String>>read(first, "$.data.emails[*].id")).hasSize(2);
		assertThat(JsonPath.<Integer>read(first, "$.data.pagination.total")).isEqualTo(3);
		String last = logs("?limit=2&cursor=" + JsonPath.<String>read(first, "$.data.pagination.next_cursor"));
		assertThat(JsonPath.<List<String>>read(last, "$.data.emails[*].to_emails[0]")).containsExactly("0@c.test");
		assertThat(JsonPath.<Integer>read(last, "$.data.pagination.total")).isEqualTo(3);
		assertThat(last).doesNotContain("next_cursor");
		assertThat(logs("?status=bounced")).contains("\"total\":0");
	}

	@Test
	void theListHasASecondPath() {
		Given.mail(Scope.of(this.person.account(), Given.domain(this.person.account()), UUID.randomUUID()), "a@c.test");
		assertThat(get("/api/emails?limit=1&cursor=")).isEqualTo(logs("?limit=1&cursor="));
	}

	@Test
	void anInvalidCursorIsRefused() {
		this.client.get(this.person.token(), "/api/emails/logs?cursor=nonsense")
			.expectStatus()
			.isBadRequest()
			.expectBody()
			.jsonPath("$.details[0].field")
			.isEqualTo("cursor");
	}

	@Test
	void attemptsAreShownWithTheirConversations() {
		Scope sender = Scope.of(this.person.account(), Given.domain(this.person.account()), UUID.randomUUID());
		UUID mail = Given.mail(sender, "b@c.test");
		Given.run("insert into delivery_attempt (id, account_id, email_id, delivery_id, attempt, began_at, took_ms, "
				+ "outcome, transport, host, address, tls, reply, conversation) select gen_random_uuid(), account_id, "
				+ "email_id, id, 1, now(), 7, 'deferred', 'mx', 'mx.c.test', '192.0.2.1', '', '451 later', "
				+ "E'3 S: 220 ready\n4 C: EHLO mailroom.test\n' from delivery where email_id = '%s'", mail);
		Given.run("insert into delivery_attempt (id, account_id, email_id, delivery_id, attempt, began_at, took_ms, "
				+ "outcome, transport, host, address, tls, source, conversation) select 'ffffffff-ffff-7fff-bfff-ffffffffffff', "
				+ "account_id, email_id, id, 2, now(), 600000, 'unanswered', 'mx', 'mx.c.test', '192.0.2.1', '', '198.51.100.7', "
				+ "E'4 TLS policy mta_sts enforced\n5 C: (the message, 99 bytes)\n600000 no answer to the message came within 600 s\n' "
				+ "from delivery where email_id = '%s'", mail);
		String attempts = get("/api/emails/" + mail + "/attempts");
		assertThat(JsonPath.<List<String>>read(attempts, "$.data.attempts[*].recipient")).containsOnly("b@c.test");
		assertThat(JsonPath.<List<String>>read(attempts, "$.data.attempts[*].outcome")).containsExactly("deferred",
				"unanswered");
		assertThat(JsonPath.<String>read(attempts, "$.data.attempts[1].reply")).isNull();
		assertThat(JsonPath.<List<String>>read(attempts, "$.data.attempts[1].conversation[*].from"))
			.containsExactly("note", "client", "note");
		for (String[] field : new String[][] { { "source", "198.51.100.7" }, { "tls_policy", "mta_sts" },
				{ "tls_result", "enforced" } }) {
			assertThat(JsonPath.<List<String>>read(attempts, "$.data.attempts[*]." + field[0])).containsExactly(null,
					field[1]);
		}
		assertThat(JsonPath.<List<Integer>>read(attempts, "$.data.attempts[0].conversation[*].at_ms"))
			.containsExactly(3, 4);
		assertThat(JsonPath.<List<String>>read(attempts, "$.data.attempts[0].conversation[*].from"))
			.containsExactly("server", "client");
		this.client.get(Person.in(this.context).token(), "/api/emails/" + mail + "/attempts")
			.expectStatus()
			.isNotFound();
	}

	private String logs(String query) {
		return get("/api/emails/logs" + query);
	}

	private String get(String path) {
		return String.valueOf(this.client.get(this.person.token(), path)
			.expectStatus()
			.isOk()
			.expectBody(String.class)
			.returnResult()
			.getResponseBody());
	}

}

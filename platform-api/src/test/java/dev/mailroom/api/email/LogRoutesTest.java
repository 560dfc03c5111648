package dev.mailroom.api.email;

import java.util.List;
import java.util.UUID;

import com.jayway.jsonpath.JsonPath;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.api.ApiTest;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

@ApiTest
class LogRoutesTest {

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	private Client client;

	private Person person;

	@BeforeEach
	void signIn() {
		this.client = new Client(this.port);
		this.person = Person.in(this.context);
	}

	@Test
	void thereIsACursorWhileTheLogGoesOn() {
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
	void aCursorThatNoListGaveIsRefused() {
		this.client.get(this.person.token(), "/api/emails/logs?cursor=nonsense")
			.expectStatus()
			.isBadRequest()
			.expectBody()
			.jsonPath("$.details[0].field")
			.isEqualTo("cursor");
	}

	private String logs(String query) {
		return String.valueOf(this.client.get(this.person.token(), "/api/emails/logs" + query)
			.expectStatus()
			.isOk()
			.expectBody(String.class)
			.returnResult()
			.getResponseBody());
	}

}

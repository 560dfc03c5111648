package dev.mailroom.admin.graphql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.mailroom.Given;
import dev.mailroom.TestDatabase;
import dev.mailroom.admin.GraphQl;
import dev.mailroom.admin.Person;
import dev.mailroom.admin.WithAdmin;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.test.context.TestPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

@WithAdmin
@TestPropertySource(properties = { "mailroom.graphql.deadline=2s", "mailroom.graphql.stream-duration=4s" })
class DeadlineTest {

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	@Test
	void aRequestThatWaitsForALockEndsAtTheDeadlineAndChangesNothing() throws SQLException {
		Person person = Person.in(this.context);
		GraphQl client = GraphQl.at(this.port).as(person);
		try (Connection connection = TestDatabase.connect("mailroom"); Statement lock = connection.createStatement()) {
			connection.setAutoCommit(false);
			lock.execute("select id from account where id = '" + person.account() + "' for update");
			JsonNode error = client
				.error("mutation { updateAccount(input: { name: \"Late\" }) { userErrors { name } } }");
			assertThat(error.path("name").asString()).isEqualTo("service_unavailable");
			assertThat(error.path("statusCode").asInt()).isEqualTo(503);
			connection.rollback();
		}
		assertThat(Given.rows("select name from account where id = '%s'", person.account())).containsExactly("Ann");
	}

	@Test
	void aStreamOutlivesTheDeadlineAndEndsAfterItsDuration() {
		Person person = Person.in(this.context);
		Given.run("insert into event (id, account_id, kind, data, created_at) values "
				+ "(uuidv7(), '%s', 'domain.verified', '{}', now())", person.account());
		long start = System.nanoTime();
		List<String> events = GraphQl.at(this.port)
			.web()
			.post()
			.uri("/graphql")
			.contentType(MediaType.APPLICATION_JSON)
			.accept(MediaType.TEXT_EVENT_STREAM)
			.headers((headers) -> headers.setBearerAuth(person.token()))
			.bodyValue(GraphQl.body("subscription { accountEvents { kind } }", Map.of()))
			.exchange()
			.returnResult(new ParameterizedTypeReference<ServerSentEvent<String>>() {
			})
			.getResponseBody()
			.mapNotNull(ServerSentEvent::event)
			.collectList()
			.block(Duration.ofSeconds(60));
		assertThat(events).containsExactly("next", "complete");
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofSeconds(3));
	}

}

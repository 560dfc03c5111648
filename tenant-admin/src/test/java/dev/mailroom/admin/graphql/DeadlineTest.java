package dev.mailroom.admin.graphql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

import dev.mailroom.Given;
import dev.mailroom.TestDatabase;
import dev.mailroom.admin.AdminTest;
import dev.mailroom.admin.GraphQl;
import dev.mailroom.admin.Person;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.TestPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

@AdminTest
@TestPropertySource(properties = "mailroom.graphql.deadline=2s")
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

}

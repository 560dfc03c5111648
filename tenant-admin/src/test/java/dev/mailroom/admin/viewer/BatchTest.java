package dev.mailroom.admin.viewer;

import java.util.List;
import java.util.Map;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.admin.AdminTest;
import dev.mailroom.admin.GraphQl;
import dev.mailroom.admin.Person;
import dev.mailroom.admin.Statements;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** Number of statements of lists: it does not depend on the number of rows. */
@AdminTest
class BatchTest {

	private static final String EMAILS = """
			{ viewer { emails(first: 3) { totalCount nodes {
			  id subject status domain { name } deliveries { recipient status } attempts { outcome } events { kind } } } } }""";

	private static final String DOMAINS = "{ viewer { domains { totalCount nodes { name status records { host } } } } }";

	private static final String KEYS = "{ viewer { apiKeys { totalCount nodes { name domain { name records { host } } } } } }";

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	@Autowired
	Statements statements;

	Person person;

	GraphQl client;

	@BeforeEach
	void person() {
		this.person = Person.in(this.context);
		this.client = GraphQl.at(this.port).as(this.person);
	}

	@Test
	void aListOfEmailsWithItsDetailsTakesTheSameStatementsForAnyNumberOfRows() {
		Scope sender = sender();
		Given.mail(sender, "one@b.test");
		int few = statements(EMAILS, "emails", 1);
		for (int i = 0; i < 2; i++) {
			Given.mail(sender, "to" + i + "@b.test", "cc" + i + "@b.test");
		}
		assertThat(statements(EMAILS, "emails", 3)).isEqualTo(few).isLessThanOrEqualTo(9);
	}

	@Test
	void listsOfDomainsAndKeysTakeTheSameStatementsForAnyNumberOfRows() {
		key(sender(), 0);
		int domains = statements(DOMAINS, "domains", 1);
		int keys = statements(KEYS, "apiKeys", 1);
		for (int i = 1; i < 8; i++) {
			key(sender(), i);
		}
		assertThat(statements(DOMAINS, "domains", 8)).isEqualTo(domains).isLessThanOrEqualTo(4);
		assertThat(statements(KEYS, "apiKeys", 8)).isEqualTo(keys).isLessThanOrEqualTo(6);
	}

	private Scope sender() {
		return Scope.of(this.person.account(), Given.domain(this.person.account()), this.person.account());
	}

	private static void key(Scope scope, int number) {
		Given.run("insert into api_key (id, account_id, domain_id, name, prefix, secret_hash, permissions, created_at) "
				+ "values (gen_random_uuid(), '%s', '%s', 'key %d', gen_random_uuid()::text, '', '{send}', now())",
				scope.account(), scope.domain(), number);
	}

	/** The number of statements of a list, of which one checks the session. */
	private int statements(String document, String list, int rows) {
		this.statements.take();
		JsonNode found = this.client.data(document, Map.of()).path("viewer").path(list).path("nodes");
		assertThat(found.size()).isEqualTo(rows);
		List<String> taken = this.statements.take();
		return taken.size();
	}

}

package dev.mailroom.admin.viewer;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.admin.GraphQl;
import dev.mailroom.admin.Person;
import dev.mailroom.admin.Statements;
import dev.mailroom.admin.WithAdmin;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** Number of statements of lists: it does not depend on the number of rows. */
@WithAdmin
class BatchTest {

	private static final String EMAILS = """
			{ viewer { emails(first: 3) { totalCount nodes {
			  id subject status domain { name } deliveries { recipient status } attempts { outcome } events { kind } } } } }""";

	private static final String DOMAINS = "{ viewer { domains { totalCount nodes { name status records { host } warmup { day } } } } }";

	private static final String KEYS = "{ viewer { apiKeys { totalCount nodes { name domain { name records { host } } } } } }";

	private static final String BOOKS = "{ viewer { contactBooks { totalCount nodes { name contactCount figures { subscribedCount addedCount } } } } }";

	private static final String ENDPOINTS = "{ viewer { webhookEndpoints { totalCount nodes { url recent { delivered failed } } } } }";

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
		assertThat(statements(DOMAINS, "domains", 8)).isEqualTo(domains).isLessThanOrEqualTo(5);
		assertThat(statements(KEYS, "apiKeys", 8)).isEqualTo(keys).isLessThanOrEqualTo(6);
	}

	@Test
	void theFiguresOfContactBooksTakeTheSameStatementsForAnyNumberOfRows() {
		book(0);
		int few = statements(BOOKS, "contactBooks", 1);
		for (int i = 1; i < 8; i++) {
			book(i);
		}
		assertThat(statements(BOOKS, "contactBooks", 8)).isEqualTo(few).isLessThanOrEqualTo(5);
	}

	@Test
	void webhookEndpointsAndTheirCallsTakeTheSameStatementsForAnyNumberOfRows() {
		String endpoint = endpoint();
		String calls = "{ viewer { webhookCalls(endpointId: \"" + endpoint
				+ "\") { totalCount nodes { kind attempts { status } } } } }";
		call(endpoint);
		int endpoints = statements(ENDPOINTS, "webhookEndpoints", 1);
		int attempts = statements(calls, "webhookCalls", 1);
		for (int i = 1; i < 6; i++) {
			endpoint();
			call(endpoint);
		}
		assertThat(statements(ENDPOINTS, "webhookEndpoints", 6)).isEqualTo(endpoints).isLessThanOrEqualTo(5);
		assertThat(statements(calls, "webhookCalls", 6)).isEqualTo(attempts).isLessThanOrEqualTo(6);
	}

	@Test
	void accountsWithTheirNotesTakeTheSameStatementsForAnyNumberOfRows() {
		String name = "batch " + UUID.randomUUID();
		account(name);
		int few = statements(operator(), accounts(name), "operator", "accounts", 1);
		for (int i = 1; i < 7; i++) {
			account(name);
		}
		assertThat(statements(operator(), accounts(name), "operator", "accounts", 7)).isEqualTo(few)
			.isLessThanOrEqualTo(7);
	}

	@Test
	void addressesBesideIdsTakeTheSameStatementsForAnyNumberOfRows() {
		GraphQl operator = operator();
		String entries = "{ operator { auditLog(act: \"batch." + this.person.account()
				+ "\") { nodes { act actorEmail accountEmail } } } }";
		String letters = "{ operator { deadLetterList(first: %d) { nodes { why accountEmail } } } }";
		facts();
		int few = statements(operator, entries, "operator", "auditLog", 1);
		int fewLetters = statements(operator, letters.formatted(1), "operator", "deadLetterList", 1);
		for (int i = 1; i < 6; i++) {
			facts();
		}
		assertThat(statements(operator, entries, "operator", "auditLog", 6)).isEqualTo(few).isLessThanOrEqualTo(7);
		assertThat(statements(operator, letters.formatted(6), "operator", "deadLetterList", 6)).isEqualTo(fewLetters)
			.isLessThanOrEqualTo(7);
	}

	/** A book with a contact. */
	private void book(int number) {
		Given.run("update account set plan = 'unlimited' where id = '%s'", this.person.account());
		String book = this.client
			.change("createContactBook", "(input: { name: \"b" + number + "\" })", "contactBook { id }")
			.path("contactBook")
			.path("id")
			.asString();
		this.client.change("createContact", "(input: { contactBookId: \"" + book + "\", email: \"a@b.test\" })",
				"contact { id }");
	}

	private String endpoint() {
		return this.client
			.change("createWebhookEndpoint", "(input: { url: \"https://example.com/\", events: [\"email.sent\"] })",
					"webhookEndpoint { id }")
			.path("webhookEndpoint")
			.path("id")
			.asString();
	}

	/** A call with an attempt. */
	private void call(String endpoint) {
		String call = this.client.change("testWebhookEndpoint", "(id: \"" + endpoint + "\")", "call { id }")
			.path("call")
			.path("id")
			.asString();
		Given.run("insert into webhook_attempt (id, account_id, delivery_id, error, took_ms, attempted_at) "
				+ "values (gen_random_uuid(), '%s', '%s', 'no', 7, now())", this.person.account(), call);
	}

	/** An account with two notes of different authors. */
	private static void account(String name) {
		UUID account = Given.account("free");
		Given.run("update account set name = '%s' where id = '%s'", name, account);
		for (UUID author : List.of(Given.account("free"), Given.account("free"))) {
			Given.run("insert into account_note (id, account_id, author_id, note, created_at) "
					+ "values (gen_random_uuid(), '%s', '%s', 'called', now())", account, author);
		}
	}

	private static String accounts(String name) {
		return "{ operator { accounts(first: 8, search: \"" + name
				+ "\") { nodes { email standing week { delivered } notes { note authorEmail } } } } }";
	}

	/** An audit entry and a dead letter of accounts of their own. */
	private void facts() {
		Given.run(
				"insert into audit (id, account_id, actor_id, actor_kind, act) "
						+ "values (gen_random_uuid(), '%s', '%s', 'person', 'batch.%s')",
				Given.account("free"), Given.account("free"), this.person.account());
		Given.run(
				"insert into dead_letter (id, account_id, what, why, died_at) "
						+ "values (gen_random_uuid(), '%s', 'mail', 'broken', now() + interval '1 hour')",
				Given.account("free"));
	}

	private GraphQl operator() {
		return GraphQl.at(this.port).as(Person.operator(this.context));
	}

	private Scope sender() {
		return Scope.of(this.person.account(), Given.domain(this.person.account()), this.person.account());
	}

	private static void key(Scope scope, int number) {
		Given.run("insert into api_key (id, account_id, domain_id, name, prefix, secret_hash, permissions, created_at) "
				+ "values (gen_random_uuid(), '%s', '%s', 'key %d', gen_random_uuid()::text, '', '{send}', now())",
				scope.account(), scope.domain(), number);
	}

	private int statements(String document, String list, int rows) {
		return statements(this.client, document, "viewer", list, rows);
	}

	/** The number of statements of a list, of which one checks the session. */
	private int statements(GraphQl client, String document, String root, String list, int rows) {
		this.statements.take();
		JsonNode found = client.data(document, Map.of()).path(root).path(list).path("nodes");
		assertThat(found.size()).isEqualTo(rows);
		List<String> taken = this.statements.take();
		return taken.size();
	}

}

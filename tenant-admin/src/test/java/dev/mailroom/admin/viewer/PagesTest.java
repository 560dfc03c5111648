package dev.mailroom.admin.viewer;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.admin.GraphQl;
import dev.mailroom.admin.Person;
import dev.mailroom.admin.WithAdmin;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** Lists are read forward and backward. */
@WithAdmin
class PagesTest {

	private static final int ITEMS = 7;

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	Person person;

	GraphQl client;

	@BeforeEach
	void person() {
		this.person = Person.in(this.context);
		this.client = GraphQl.at(this.port).as(this.person);
	}

	@Test
	void mailsOfEveryFilterAreReadBothWays() {
		UUID account = this.person.account();
		Scope sender = Scope.of(account, Given.domain(account), account);
		for (int i = 0; i < ITEMS; i++) {
			Given.mail(sender, "a@b.test");
		}
		sameTimes("email");
		readBothWays("viewer", "emails", "");
		readBothWays("viewer", "emails", "status: PENDING, ");
		readBothWays("viewer", "emails", "search: \"hello\", ");
		readBothWays("viewer", "emails", "stream: TRANSACTIONAL, from: \"2020-01-01T00:00:00Z\", ");
		Given.run("update email set status = 'failed' where account_id = '%s'", account);
		readBothWays("viewer", "emails", "status: FAILED, ");
	}

	@Test
	void receivedMailCallsAndSuppressionsAreReadBothWays() {
		UUID account = this.person.account();
		UUID domain = Given.domain(account);
		for (int i = 0; i < ITEMS; i++) {
			Given.inbound(account, domain);
		}
		sameTimes("inbound_email");
		readBothWays("viewer", "inboundEmails", "");
		readBothWays("viewer", "inboundEmails", "domainId: \"" + domain + "\", ");
		readBothWays("viewer", "inboundEmails", "search: \"@\", ");
		assertThat(ids(page("viewer", "inboundEmails", "search: \"nowhere to be found\", "))).isEmpty();
		String endpoint = this.client
			.change("createWebhookEndpoint",
					"(input: { url: \"https://example.com/hook\", events: [\"email.delivered\"] })",
					"webhookEndpoint { id }")
			.findPath("id")
			.asString();
		Given.run("insert into webhook_delivery (id, account_id, endpoint_id, event_id, kind, due_at, created_at) "
				+ "select gen_random_uuid(), '%s', '%s', gen_random_uuid(), 'email.delivered', now(), now() "
				+ "from generate_series(1, %d)", account, endpoint, ITEMS);
		readBothWays("viewer", "webhookCalls", "endpointId: \"" + endpoint + "\", ");
		this.client.change("addSuppressions", "(input: { addresses: [" + addresses() + "] })", "added");
		readBothWays("viewer", "suppressions", "");
		readBothWays("viewer", "suppressions", "search: \"@d.test\", ");
	}

	@Test
	void contactsAreReadBothWays() {
		String book = this.client.change("createContactBook", "(input: { name: \"b\" })", "contactBook { id }")
			.findPath("id")
			.asString();
		this.client.change("saveContacts",
				"(input: { contactBookId: \"%s\", contacts: [%s] })".formatted(book, addresses()), "added");
		readBothWays("viewer", "contacts", "contactBookId: \"" + book + "\", ");
		readBothWays("viewer", "contacts", "contactBookId: \"" + book + "\", subscribed: true, search: \"d.test\", ");
	}

	@Test
	void emailsAreReadOldestFirstFromTheEndOfTheList() {
		UUID account = this.person.account();
		Scope sender = Scope.of(account, Given.domain(account), account);
		List<String> oldestFirst = new ArrayList<>();
		for (int i = 0; i < ITEMS; i++) {
			oldestFirst.add(Given.mail(sender, "a@b.test").toString());
		}
		for (String filter : List.of("", "states: [QUEUED, SCHEDULED], ", "search: \"b.test\", ")) {
			JsonNode oldest = page("viewer", "emails", filter + "last: 3");
			assertThat(ids(oldest).reversed()).as(filter).isEqualTo(oldestFirst.subList(0, 3));
			assertThat(info(oldest, "hasNextPage").asBoolean()).as(filter).isFalse();
			assertThat(info(oldest, "hasPreviousPage").asBoolean()).as(filter).isTrue();
			String before = "last: 3, before: \"" + info(oldest, "startCursor").asString() + "\"";
			assertThat(ids(page("viewer", "emails", filter + before)).reversed()).as(filter)
				.isEqualTo(oldestFirst.subList(3, 6));
		}
		Given.run("update email set status = 'failed', last_event = 'cancelled' where id = '%s'", oldestFirst.get(2));
		Given.run("update email set status = 'bounced', last_event = 'bounced' where id = '%s'", oldestFirst.get(4));
		assertThat(ids(page("viewer", "emails", "states: [CANCELLED, BOUNCED], first: 9")))
			.containsExactly(oldestFirst.get(4), oldestFirst.get(2));
		assertThat(ids(page("viewer", "emails", "states: [FAILED, DELIVERED], first: 9"))).isEmpty();
		assertThat(ids(page("viewer", "emails", "states: [CANCELLED, QUEUED], first: 9"))).hasSize(ITEMS - 1);
	}

	@Test
	void scheduledEmailsAreFoundAmongManyThatAreReady() {
		UUID account = this.person.account();
		Scope sender = Scope.of(account, Given.domain(account), account);
		String scheduled = Given.mail(sender, "a@b.test").toString();
		Given.run("update email set last_event = 'scheduled' where id = '%1$s'; "
				+ "update queue set ready = false where email_id = '%1$s'", scheduled);
		Given.run("insert into queue (id, account_id, email_id, recipient, destination, ready, due_at) "
				+ "select gen_random_uuid(), account_id, gen_random_uuid(), recipient, destination, true, due_at "
				+ "from queue, generate_series(1, 20000) where email_id = '%s'", scheduled);
		assertThat(ids(page("viewer", "emails", "states: [SCHEDULED], first: 9"))).containsExactly(scheduled);
		Given.run("delete from queue where account_id = '%s'", account);
	}

	@Test
	void listsOfSettingsAreReadBothWays() {
		UUID account = this.person.account();
		for (int i = 0; i < ITEMS; i++) {
			Given.domain(account);
		}
		Given.run("insert into api_key (id, account_id, domain_id, name, prefix, secret_hash, permissions, created_at) "
				+ "select gen_random_uuid(), account_id, id, name, name, '', '{send}', now() from domain where account_id = '%s'",
				account);
		readBothWays("viewer", "domains", "");
		readBothWays("viewer", "apiKeys", "");
		for (int i = 0; i < ITEMS; i++) {
			this.client.change("createTemplate", "(input: { name: \"t" + i + "\", textContent: \"x\" })",
					"template { id }");
		}
		readBothWays("viewer", "templates", "");
		readBothWays("viewer", "templates", "search: \"t\", ");
	}

	@Test
	void listsOfOperatorsAreReadBothWays() {
		this.client = GraphQl.at(this.port).as(Person.operator(this.context));
		UUID mark = UUID.randomUUID();
		Given.run("insert into account (id, email, email_key, plan, created_at) "
				+ "select gen_random_uuid(), n || '%1$s@o.test', n || '%1$s@o.test', 'free', now() + n / 2 * interval '1 s' "
				+ "from generate_series(1, %2$d) as n", mark, ITEMS);
		readBothWays("operator", "accounts", "search: \"" + mark + "\", ");
		// The newest of all, whatever other tests add.
		Given.run(
				"insert into dead_letter (id, what, why, died_at) select gen_random_uuid(), 'record', '%s', "
						+ "now() + interval '1 year' + n / 2 * interval '1 s' from generate_series(1, %d) as n",
				mark, ITEMS);
		readBothWays("operator", "deadLetterList", "requeued: false, ");
		Given.run("delete from dead_letter where why = '%s'", mark);
		UUID account = this.person.account();
		Given.run("insert into audit (id, account_id, actor_id, actor_kind, act, target, details, created_at) "
				+ "select gen_random_uuid(), '%s', '%s', 'person', 'test', '', '{}', now() from generate_series(1, %d)",
				account, account, ITEMS);
		readBothWays("operator", "auditLog", "account: \"" + account + "\", act: \"test\", ");
		Scope sender = Scope.of(account, Given.domain(account), account);
		for (int i = 0; i < ITEMS; i++) {
			Given.mail(sender, mark + "@b.test");
		}
		readBothWays("operator", "emails", "search: \"" + mark + "@b\", reason: \"test\", ");
	}

	@Test
	void argumentsThatContradictEachOtherAreRefused() {
		for (String wrong : List.of("last: 1, after: \"x\"", "before: \"x\"", "last: 0, before: \"x\"",
				"last: 101, before: \"x\"")) {
			assertThat(
					this.client.error("{ viewer { emails(" + wrong + ") { nodes { id } } } }").path("name").asString())
				.as(wrong)
				.isEqualTo("invalid_request_data");
		}
		Given.inbound(this.person.account(), Given.domain(this.person.account()));
		String cursor = page("viewer", "inboundEmails", "first: 1").path("pageInfo").path("endCursor").asString();
		assertThat(this.client
			.error("{ viewer { inboundEmails(after: \"%1$s\", before: \"%1$s\") { nodes { id } } } }".formatted(cursor))
			.path("details")
			.toString()).contains("\"before\"");
	}

	/** Reads up to four pages forward, and from the last of them back to the first. */
	private void readBothWays(String parent, String list, String arguments) {
		List<JsonNode> pages = new ArrayList<>(List.of(page(parent, list, arguments + "first: 2")));
		while (pages.size() < 4) {
			String cursor = info(pages.getLast(), "endCursor").asString();
			pages.add(page(parent, list, arguments + "first: 2, after: \"" + cursor + "\""));
		}
		assertThat(pages).as(list)
			.extracting((page) -> info(page, "hasPreviousPage").asBoolean())
			.containsExactly(false, true, true, true);
		List<String> forward = new ArrayList<>();
		pages.subList(0, 3).forEach((page) -> forward.addAll(ids(page)));
		assertThat(forward).as(list).hasSize(6).doesNotHaveDuplicates();
		List<String> backward = new ArrayList<>();
		JsonNode page = pages.getLast();
		for (boolean first = false; !first;) {
			String cursor = info(page, "startCursor").asString();
			page = page(parent, list, arguments + "last: 4, before: \"" + cursor + "\"");
			assertThat(info(page, "hasNextPage").asBoolean()).as(list).isTrue();
			backward.addAll(0, ids(page));
			first = !info(page, "hasPreviousPage").asBoolean();
		}
		assertThat(backward).as(list + "(" + arguments + ")").isEqualTo(forward);
	}

	private JsonNode page(String parent, String list, String arguments) {
		return this.client
			.data("{ " + parent + " { " + list + "(" + arguments
					+ ") { pageInfo { hasNextPage hasPreviousPage startCursor endCursor } nodes { id } } } }")
			.path(parent)
			.path(list);
	}

	private static JsonNode info(JsonNode page, String field) {
		return page.path("pageInfo").path(field);
	}

	private static List<String> ids(JsonNode page) {
		return page.path("nodes").valueStream().map((node) -> node.path("id").asString()).toList();
	}

	private static String addresses() {
		return IntStream.range(0, ITEMS)
			.mapToObj((i) -> "{ email: \"" + i + "@d.test\" }")
			.collect(Collectors.joining(", "));
	}

	/** Rows of one time are in the order of their ids. */
	private void sameTimes(String table) {
		Given.run("update %s set created_at = date_trunc('minute', created_at) where account_id = '%s'", table,
				this.person.account());
	}

}

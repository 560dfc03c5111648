package dev.mailroom.admin.viewer;

import java.util.Map;
import java.util.UUID;

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
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

/** Lists, imports, exports and deletion of contacts, and drafts of templates. */
@WithAdmin
class ContactsTest {

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	Person person;

	GraphQl client;

	String book;

	@BeforeEach
	void person() {
		this.person = Person.in(this.context);
		this.client = GraphQl.at(this.port).as(this.person);
		this.book = this.client.change("createContactBook", "(input: { name: \"b\" })", "contactBook { id }")
			.path("contactBook")
			.path("id")
			.asString();
		this.client.change("saveContacts",
				"(input: { contactBookId: \"%s\", contacts: [{ email: \"a@d.test\" }, { email: \"b@d.test\", subscribed: false }] })"
					.formatted(this.book),
				"added");
	}

	@Test
	void booksHaveFiguresAndContactsAreFilteredBySubscription() {
		assertThat(this.client.data("{ viewer { contactBooks { nodes { figures { subscribedCount addedCount } } } } }")
			.findPath("figures")
			.toString()).isEqualTo("{\"subscribedCount\":1,\"addedCount\":2}");
		assertThat(this.client.data(
				"query($b: UUID!) { viewer { contacts(contactBookId: $b, subscribed: false) { totalCount nodes { email } } } }",
				Map.of("b", this.book))
			.findPath("contacts")
			.toString()).isEqualTo("{\"totalCount\":null,\"nodes\":[{\"email\":\"b@d.test\"}]}");
	}

	@Test
	void contactsThatMatchAreCountedOnRequest() {
		Map.of("", 2, ", subscribed: true", 1, ", search: \"D.TEST\"", 2, ", search: \"a@\", subscribed: false", 0)
			.forEach((filter,
					count) -> assertThat(this.client
						.data("query($b: UUID!) { viewer { contactCount(contactBookId: $b" + filter + ") } }",
								Map.of("b", this.book))
						.findPath("contactCount")
						.asInt()).as(filter).isEqualTo(count));
	}

	@Test
	void contactsAreCheckedBeforeTheyAreSaved() {
		assertThat(this.client.data(
				"{ viewer { checkContacts(input: { contactBookId: \"%s\", contacts: [{ email: \"B@d.test\" }, { email: \"c@d.test\" }, { email: \"x\" }] }) { added updated stayUnsubscribed refused { index field message } } } }"
					.formatted(this.book))
			.findPath("checkContacts")
			.toString()).isEqualTo(
					"{\"added\":1,\"updated\":1,\"stayUnsubscribed\":1,\"refused\":[{\"index\":2,\"field\":\"email\",\"message\":\"is not an e-mail address\"}]}");
	}

	@Test
	void contactsThatMatchAreDeleted() {
		assertThat(this.client.change("deleteMatchingContacts",
				"(input: { contactBookId: \"%s\", subscribed: false, count: 10 })".formatted(this.book), "deletedCount")
			.path("deletedCount")
			.asLong()).isEqualTo(1);
		String id = this.client
			.data("query($b: UUID!) { viewer { contacts(contactBookId: $b) { nodes { id } } } }",
					Map.of("b", this.book))
			.findPath("id")
			.asString();
		assertThat(this.client
			.change("deleteContacts", "(input: { contactBookId: \"%s\", ids: [\"%s\"] })".formatted(this.book, id),
					"deletedCount")
			.path("deletedCount")
			.asLong()).isEqualTo(1);
	}

	@Test
	void theHistoryOfAContactHasItsEmailsAndOtherBooks() {
		String other = this.client.change("createContactBook", "(input: { name: \"c\" })", "contactBook { id }")
			.at("/contactBook/id")
			.asString();
		assertThat(change("UNSUBSCRIBE, search: \"a@d\"").toString())
			.startsWith("{\"changedCount\":1,\"skippedCount\":0,\"endCursor\":null");
		assertThat(change("COPY, targetBookId: \"" + other + "\"").path("changedCount").asLong()).isEqualTo(2);
		this.client.change("addSuppression", "(input: { email: \"A@d.test\" })", "suppression { id }");
		UUID account = this.person.account();
		UUID mail = Given.mail(Scope.of(account, Given.domain(account), account), "A@d.test");
		Given.mail(Scope.of(account, Given.domain(account), account), "aa@d.test");
		Given.run("insert into event (id, account_id, email_id, kind, created_at) values "
				+ "(uuidv7(), '%s', '%s', 'email.opened', now())", account, mail);
		String id = Given.rows("select id from contact where account_id = '%s' and email = 'a@d.test'", account)
			.getFirst();
		String book = Given.rows("select contact_book_id from contact where id = '%s'", id).getFirst();
		JsonNode history = this.client.data(
				"{ viewer { contactHistory(contactBookId: \"%s\", id: \"%s\") { emails { id } events { kind emailId } books { contactBookName contact { subscribed } } suppression { reason } unsubscriptions { at } } } }"
					.formatted(book, id))
			.findPath("contactHistory");
		assertThat(history.path("emails").toString()).isEqualTo("[{\"id\":\"" + mail + "\"}]");
		assertThat(history.path("events").toString())
			.contains("{\"kind\":\"email.opened\",\"emailId\":\"" + mail + "\"}");
		assertThat(history.path("books").size()).isEqualTo(2);
		assertThat(history.path("books").toString()).doesNotContain("true");
		assertThat(history.at("/suppression/reason").asString()).isEqualTo("MANUAL");
		assertThat(history.path("unsubscriptions").isEmpty()).isTrue();
	}

	@Test
	void selectedContactsGetAPropertyAndMoveToAnotherBook() {
		assertThat(change("SET_PROPERTY, subscribed: true, property: \"city\", value: \"Graz\"").path("changedCount")
			.asLong()).isEqualTo(1);
		assertThat(change("SET_PROPERTY, property: \"city\", value: \"Graz\"").path("changedCount").asLong())
			.isEqualTo(1);
		String other = this.client
			.change("createContactBook", "(input: { name: \"c\", doubleOptIn: true })", "contactBook { id }")
			.at("/contactBook/id")
			.asString();
		this.client.change("createContact", "(input: { contactBookId: \"" + other + "\", email: \"B@d.test\" })",
				"contact { id }");
		assertThat(change("MOVE, targetBookId: \"" + other + "\"").path("changedCount").asLong()).isEqualTo(2);
		assertThat(Given.rows(
				"select name || ' ' || contacts || ' ' || (select count(*) from contact where contact_book_id = contact_book.id) from contact_book where account_id = '%s' order by name",
				this.person.account()))
			.containsExactly("b 0 0", "c 2 2");
		assertThat(Given.rows(
				"select email || ' ' || coalesce(properties ->> 'city', '') || ' ' || consent from contact where contact_book_id = '%s' order by email",
				other))
			.containsExactly("B@d.test  pending", "a@d.test Graz pending");
		assertThat(this.client
			.send("mutation { changeContacts(input: { contactBookId: \"" + other + "\", action: COPY, targetBookId: \""
					+ other + "\" }) { userErrors { field } } }", Map.of())
			.toString()).contains("target_book_id");
	}

	@Test
	void aPropertySkipsContactsWhosePropertiesBecomeTooLong() {
		Given.run("update contact set properties = jsonb_build_object('long', repeat('x', 9990)) "
				+ "where contact_book_id = '%s' and email = 'a@d.test'", this.book);
		assertThat(change("SET_PROPERTY, property: \"city\", value: \"Graz\"").toString())
			.startsWith("{\"changedCount\":1,\"skippedCount\":1,\"endCursor\":null");
		assertThat(Given.rows(
				"select email from contact where contact_book_id = '%s' and properties -> 'city' is not null",
				this.book))
			.containsExactly("b@d.test");
	}

	@Test
	void aChangeOfManyContactsIsMadeInSteps() {
		Given.run("insert into contact (id, account_id, contact_book_id, email, email_key, created_at, updated_at) "
				+ "select gen_random_uuid(), '%1$s', '%2$s', 'x' || i || '@d.test', 'x' || i || '@d.test', "
				+ "now() + i * interval '1 ms', now() from generate_series(1, 1500) i; update contact_book "
				+ "set contacts = contacts + 1500 where id = '%2$s'", this.person.account(), this.book);
		JsonNode first = change("UNSUBSCRIBE, search: \"x\"");
		assertThat(first.path("changedCount").asLong()).isEqualTo(1000);
		assertThat(
				change("UNSUBSCRIBE, search: \"x\", after: \"" + first.path("endCursor").asString() + "\"").toString())
			.startsWith("{\"changedCount\":500,\"skippedCount\":0,\"endCursor\":null");
	}

	private JsonNode change(String action) {
		return this.client.change("changeContacts",
				"(input: { contactBookId: \"" + this.book + "\", action: " + action + " })",
				"changedCount skippedCount endCursor");
	}

	@Test
	void aBookIsExportedAsCsvToItsAccountOnly() {
		export(this.person.token(), "?subscribed=false").expectStatus()
			.isOk()
			.expectBody(String.class)
			.isEqualTo("email,first_name,last_name,subscribed,properties\r\nb@d.test,,,false,{}\r\n");
		export(Person.in(this.context).token(), "").expectStatus().isNotFound();
		this.client.web().get().uri("/export/contact-books/" + this.book).exchange().expectStatus().isUnauthorized();
	}

	@Test
	void aDraftOfATemplateIsCheckedAndRendered() {
		assertThat(this.client.data(
				"{ viewer { templateDraft(input: { subject: \"Hi {{name}}\", htmlContent: \"<p>{{name</p>\" }) { problems { field line column } rendered { subject } } } }")
			.findPath("templateDraft")
			.toString())
			.isEqualTo("{\"problems\":[{\"field\":\"html_content\",\"line\":1,\"column\":4}],\"rendered\":null}");
		assertThat(this.client.data(
				"{ viewer { templateDraft(input: { subject: \"Hi {{name}}\", variables: { name: \"Ann\" } }) { variables rendered { subject missing } } } }")
			.findPath("templateDraft")
			.toString()).isEqualTo("{\"variables\":[\"name\"],\"rendered\":{\"subject\":\"Hi Ann\",\"missing\":[]}}");
	}

	@Test
	void contentIsCheckedWithTheImagesOfTheAccount() {
		String url = this.client
			.change("uploadImage", "(input: { name: \"a.gif\", content: \"R0lGODlh\" })",
					"image { id name size type url }")
			.at("/image/url")
			.asString();
		assertThat(url).contains("/image/");
		assertThat(
				this.client.data("{ viewer { images { nodes { name type size url } } } }").findPath("nodes").toString())
			.isEqualTo("[{\"name\":\"a.gif\",\"type\":\"image/gif\",\"size\":6,\"url\":\"" + url + "\"}]");
		String html = "<p><img alt=\\\"\\\" src=\\\"" + url + "\\\"><a href=\\\"#\\\">x</a>";
		String findings = "findings { check level message }";
		assertThat(this.client
			.data("{ viewer { templateDraft(input: { htmlContent: \"" + html + "\" }) { " + findings + " } } }")
			.findPath("findings")
			.toString())
			.contains("{\"check\":\"LINKS\",\"level\":\"ERROR\",\"message\":\"The link “x” has no address.\"}",
					"{\"check\":\"IMAGES\",\"level\":\"PASSED\",", "{\"check\":\"UNSUBSCRIBE\",\"level\":\"PASSED\"");
		assertThat(this.client
			.change("createTemplate", "(input: { name: \"t\", htmlContent: \"" + html + "\" })",
					"template { " + findings + " }")
			.findPath("findings")
			.size()).isEqualTo(11);
		assertThat(this.client
			.change("createCampaign",
					"(input: { name: \"c\", subject: \"s\", from: \"a@" + Given.domain(this.person.account())
							+ ".test\", contactBookId: \"" + this.book + "\", htmlContent: \"" + html + "\" })",
					"campaign { " + findings + " }")
			.findPath("findings")
			.toString()).contains("{\"check\":\"UNSUBSCRIBE\",\"level\":\"ERROR\"");
	}

	@Test
	void blocksAreReadAgainWhileTheHtmlIsTheOneWrittenFromThem() {
		String fields = "{ id blocks }";
		String blocks = "blocks: { version: 1, doc: { type: \"doc\", content: [{ text: \"Hi\" }] } }";
		String saved = "{\"doc\":{\"type\":\"doc\",\"content\":[{\"text\":\"Hi\"}]},\"version\":1}";
		JsonNode template = this.client
			.change("createTemplate", "(input: { name: \"t\", htmlContent: \"<p>Hi\", " + blocks + " })",
					"template " + fields)
			.path("template");
		assertThat(template.path("blocks").toString()).isEqualTo(saved);
		String update = "(input: { id: \"" + template.path("id").asString() + "\", ";
		assertThat(this.client.change("updateTemplate", update + "subject: \"s\" })", "template " + fields)
			.at("/template/blocks")
			.toString()).isEqualTo(saved);
		assertThat(this.client.change("updateTemplate", update + "htmlContent: \"<p>Ho\" })", "template " + fields)
			.at("/template/blocks")
			.isNull()).isTrue();
		assertThat(this.client
			.change("createCampaign",
					"(input: { name: \"c\", subject: \"s\", from: \"a@" + Given.domain(this.person.account())
							+ ".test\", contactBookId: \"" + this.book + "\", htmlContent: \"<p>Hi\", " + blocks
							+ " })",
					"campaign " + fields)
			.at("/campaign/blocks")
			.toString()).isEqualTo(saved);
		assertThat(this.client
			.data("mutation($input: CreateTemplateInput!) { createTemplate(input: $input) { userErrors { field } } }",
					Map.of("input",
							Map.of("name", "u", "htmlContent", "x", "blocks", Map.of("a", "x".repeat(262_144)))))
			.toString()).contains("\"blocks\"");
	}

	private WebTestClient.ResponseSpec export(String token, String query) {
		return this.client.web()
			.get()
			.uri("/export/contact-books/" + this.book + query)
			.headers((headers) -> headers.setBearerAuth(token))
			.exchange();
	}

}

package dev.mailroom.api.contact;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.jayway.jsonpath.JsonPath;
import dev.mailroom.Given;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

@WithApi
class ContactRoutesTest {

	@Autowired
	ApplicationContext context;

	@Autowired
	Client client;

	@Autowired
	Person person;

	private String book;

	@BeforeEach
	void signIn() {
		this.book = "/api/contact-books/" + id(post("/api/contact-books", "{\"name\":\"Friends\"}"), "contactBook");
	}

	@Test
	void aBookIsCreatedShownRenamedAndDeleted() {
		String created = text(post("/api/contact-books", "{\"name\":\"Others\"}").expectStatus().isCreated());
		assertThat(JsonPath.<String>read(created, "$.data.contactBook.user_id"))
			.isEqualTo(this.person.account().toString());
		assertThat(created).contains("\"success\":true", "\"created_at\"", "\"updated_at\"");
		String path = "/api/contact-books/" + JsonPath.<String>read(created, "$.data.contactBook.id");
		get("/api/contact-books").expectBody()
			.jsonPath("$.data.contactBooks[0].name")
			.isEqualTo("Others")
			.jsonPath("$.data.pagination.total")
			.isEqualTo(2);
		send(HttpMethod.PATCH, path, "{\"name\":\"Foes\"}").expectBody()
			.jsonPath("$.data.contactBook.name")
			.isEqualTo("Foes");
		refused(post("/api/contact-books", "{\"name\":\"Third\"}"), 403, "Contact book limit reached");
		this.client.call(HttpMethod.DELETE, this.person.token(), path)
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.data.deleted")
			.isEqualTo(true);
		refused(get(path), 404, "Contact book not found");
		refused(send(HttpMethod.PATCH, path, "{\"name\":\"Gone\"}"), 404, "Contact book not found");
		refused(this.client.call(HttpMethod.DELETE, this.person.token(), path), 404, "Contact book not found");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "{\"name\":null}", "{\"name\":\" \"}", "{\"name\":5}", "[]", "nonsense" })
	void aBookWithoutANameIsRefused(String body) {
		refused(post("/api/contact-books", body), 400, "Invalid request data");
	}

	@Test
	void aBodyOfVeryManyValuesOrDeepNestingIsRefused() {
		String body = "{\"name\":\"n\",\"deep\":%s,\"many\":[%s0]}";
		String deep = "[".repeat(60) + "]".repeat(60);
		post("/api/contact-books", body.formatted(deep, "0,".repeat(100_000))).expectStatus().isCreated();
		refused(post("/api/contact-books", body.formatted(deep, "0,".repeat(600_000))), 400, "Invalid request data");
		refused(post("/api/contact-books", body.formatted("[[[[" + deep + "]]]]", "")), 400, "Invalid request data");
	}

	@Test
	void contactsAreSavedInBulkAndListed() {
		String body = """
				[{"email":"a@b.test","firstName":"Ann","lastName":"Ax","properties":{"team":{"no":1}}},
				 {"email":"C@d.test","first_name":"Cy","subscribed":false}, {"email":"c@D.test","firstName":null}]
				""";
		bulk(body).expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.data.count")
			.isEqualTo(2)
			.jsonPath("$.data.updated")
			.isEqualTo(0)
			.jsonPath("$.data.message")
			.isNotEmpty();
		bulk(body).expectBody().jsonPath("$.data.count").isEqualTo(0).jsonPath("$.data.updated").isEqualTo(2);
		get(this.book + "/contacts?search=ann").expectBody()
			.jsonPath("$.data.contacts.length()")
			.isEqualTo(1)
			.jsonPath("$.data.contacts[0].properties.team.no")
			.isEqualTo(1)
			.jsonPath("$.data.contacts[0].contact_book_id")
			.isEqualTo(this.book.substring(this.book.length() - 36))
			.jsonPath("$.data.contacts[0].subscribed")
			.isEqualTo(true);
		get(this.book + "/contacts?limit=1").expectBody()
			.jsonPath("$.data.pagination.totalPages")
			.isEqualTo(2)
			.jsonPath("$.data.pagination.next_cursor")
			.isNotEmpty();
		get(this.book + "/contacts").expectBody()
			.jsonPath("$.data.pagination.limit")
			.isEqualTo(50)
			.jsonPath("$.data.pagination.next_cursor")
			.doesNotExist();
		get(this.book + "/contacts?page=9").expectBody().jsonPath("$.data.contacts.length()").isEqualTo(0);
	}

	@Test
	void tenThousandContactsAreReadOnceWhileOthersAreAdded() {
		UUID stored = UUID.fromString(this.book.substring(this.book.lastIndexOf('/') + 1));
		List<String> start = new ArrayList<>(Given.rows(
				"insert into contact (id, account_id, contact_book_id, email, email_key, created_at, updated_at) "
						+ "select uuidv7(), '%s', '%s', i || '@many.test', i || '@many.test', "
						+ "now() - (i %% 7) * interval '1 minute', now() from generate_series(1, 10000) i returning id",
				this.person.account(), stored));
		Given.run("update account set plan = 'unlimited' where id = '%s'; "
				+ "update contact_book set contacts = 10000 where id = '%s'", this.person.account(), stored);
		List<String> read = new ArrayList<>();
		String cursor = "";
		for (int page = 0; cursor != null; page++) {
			String body = text(get(this.book + "/contacts?limit=100&cursor=" + cursor));
			read.addAll(JsonPath.<List<String>>read(body, "$.data.contacts[*].id"));
			cursor = JsonPath.<List<String>>read(body, "$..next_cursor").stream().findFirst().orElse(null);
			if (page % 10 == 0) {
				post(this.book + "/contacts", "{\"email\":\"new%d@many.test\"}".formatted(page)).expectStatus()
					.isCreated();
			}
		}
		assertThat(read).doesNotHaveDuplicates().containsAll(start);
	}

	@ParameterizedTest
	@ValueSource(strings = { "[]", "{}", "null", "[null]", "[{}]", "[5]", "[{\"email\":\"nobody\"}]",
			"[{\"email\":\"a@b.test\",\"subscribed\":\"yes\"}]", "[{\"email\":\"a@b.test\",\"properties\":[]}]",
			"[{\"email\":\"a@b.test\",\"firstName\":1}]" })
	void aBulkCallWithAnErrorAddsNothing(String body) {
		refused(bulk(body), 400, "Invalid request data");
		get(this.book + "/contacts").expectBody().jsonPath("$.data.pagination.total").isEqualTo(0);
	}

	@Test
	void aBulkCallRespectsItsLimits() {
		refused(bulk(many(1001)), 400, "Invalid request data");
		refused(bulk("[" + "{},".repeat(300_000) + "{}]"), 400, "Invalid request data");
		refused(bulk(many(201)), 403, "Contact limit reached");
		bulk(many(200)).expectStatus().isOk().expectBody().jsonPath("$.data.count").isEqualTo(200);
		refused(post(this.book + "/contacts", "{\"email\":\"one@more.test\"}"), 403, "Contact limit reached");
		String unknownBook = "/api/contact-books/" + UUID.randomUUID() + "/contacts";
		refused(post(unknownBook + "/bulk", many(1)), 404, "Contact book not found");
		refused(post("/api/contact-books/nonsense/contacts/bulk", many(1)), 404, "Contact book not found");
		refused(get(unknownBook), 404, "Contact book not found");
		refused(get(this.book + "/contacts?limit=101"), 400, "Invalid request data");
		refused(get(this.book + "/contacts?cursor=nonsense"), 400, "Invalid request data");
	}

	@Test
	void aContactIsCreatedChangedReplacedAndDeleted() {
		WebTestClient.ResponseSpec created = post(this.book + "/contacts",
				"{\"email\":\"a@b.test\",\"properties\":{\"k\":1}}");
		String path = this.book + "/contacts/" + id(created.expectStatus().isCreated(), "contact");
		refused(post(this.book + "/contacts", "{\"email\":\"A@b.test\"}"), 409, "Duplicate contact");
		get(path).expectBody().jsonPath("$.data.contact.first_name").isEqualTo("");
		send(HttpMethod.PATCH, path, "{\"firstName\":\"Ann\",\"subscribed\":false}").expectBody()
			.jsonPath("$.data.contact.first_name")
			.isEqualTo("Ann")
			.jsonPath("$.data.contact.subscribed")
			.isEqualTo(false)
			.jsonPath("$.data.contact.properties.k")
			.isEqualTo(1);
		send(HttpMethod.PATCH, path, "{\"first_name\":null,\"properties\":{\"n\":2}}").expectBody()
			.jsonPath("$.data.contact.first_name")
			.isEqualTo("")
			.jsonPath("$.data.contact.properties.k")
			.doesNotExist();
		send(HttpMethod.PATCH, path, "{}").expectBody().jsonPath("$.data.contact.properties.n").isEqualTo(2);
		send(HttpMethod.PUT, path, "{\"email\":\"a@b.test\",\"lastName\":\"Ax\",\"subscribed\":true}").expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.data.contact.last_name")
			.isEqualTo("Ax")
			.jsonPath("$.data.contact.subscribed")
			.isEqualTo(false);
		send(HttpMethod.PUT, this.book + "/contacts/" + UUID.randomUUID(), "{\"email\":\"new@b.test\"}").expectStatus()
			.isCreated();
		refused(send(HttpMethod.PUT, path, "{\"email\":\"new@b.test\"}"), 409, "Duplicate contact");
		refused(send(HttpMethod.PUT, path, "{\"firstName\":\"x\"}"), 400, "Invalid request data");
		this.client.call(HttpMethod.DELETE, this.person.token(), path).expectStatus().isOk();
		refused(get(path), 404, "Contact not found");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"firstName\":5}", "{\"subscribed\":\"no\"}", "{\"properties\":5}",
			"{\"properties\":[]}", "[]", "" })
	void aChangeWithAWrongTypeIsRefused(String body) {
		String id = id(post(this.book + "/contacts", "{\"email\":\"a@b.test\"}"), "contact");
		refused(send(HttpMethod.PATCH, this.book + "/contacts/" + id, body), 400, "Invalid request data");
	}

	@Test
	void unknownAndForeignIdsAreNotFound() {
		String id = id(post(this.book + "/contacts", "{\"email\":\"a@b.test\"}"), "contact");
		Person other = Person.in(this.context);
		for (String path : new String[] { this.book + "/contacts/" + id, this.book + "/contacts/nonsense" }) {
			refused(this.client.send(HttpMethod.PATCH, other.token(), path, "{}"), 404, "Contact not found");
			refused(this.client.get(other.token(), path), 404, "Contact not found");
			refused(this.client.call(HttpMethod.DELETE, other.token(), path), 404, "Contact not found");
			refused(this.client.send(HttpMethod.PUT, other.token(), path, "{\"email\":\"a@b.test\"}"), 404,
					"Contact book not found");
		}
		refused(this.client.get(other.token(), this.book), 404, "Contact book not found");
		refused(this.client.get(other.token(), this.book + "/contacts"), 404, "Contact book not found");
		refused(this.client.send(HttpMethod.POST, other.token(), this.book + "/contacts/bulk", many(1)), 404,
				"Contact book not found");
	}

	private WebTestClient.ResponseSpec bulk(String body) {
		return post(this.book + "/contacts/bulk", body);
	}

	private WebTestClient.ResponseSpec post(String path, String body) {
		return send(HttpMethod.POST, path, body);
	}

	private WebTestClient.ResponseSpec send(HttpMethod method, String path, String body) {
		return this.client.send(method, this.person.token(), path, body);
	}

	private WebTestClient.ResponseSpec get(String path) {
		return this.client.get(this.person.token(), path);
	}

	private static String many(int count) {
		return IntStream.range(0, count)
			.mapToObj("{\"email\":\"many%d@b.test\"}"::formatted)
			.collect(Collectors.joining(",", "[", "]"));
	}

	private static String id(WebTestClient.ResponseSpec response, String name) {
		return JsonPath.read(text(response.expectStatus().isCreated()), "$.data." + name + ".id");
	}

	private static String text(WebTestClient.ResponseSpec response) {
		return String.valueOf(response.expectBody(String.class).returnResult().getResponseBody());
	}

	private static void refused(WebTestClient.ResponseSpec response, int status, String error) {
		response.expectStatus().isEqualTo(status).expectBody().jsonPath("$.error").isEqualTo(error);
	}

}

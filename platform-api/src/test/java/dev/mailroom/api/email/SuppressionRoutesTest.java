package dev.mailroom.api.email;

import java.net.URI;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.jayway.jsonpath.JsonPath;
import dev.mailroom.Given;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

@WithApi
class SuppressionRoutesTest {

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	@Autowired
	Client client;

	@Autowired
	Person person;

	@Test
	void anExistingEntryStaysAsItIs() {
		String first = post("", "{\"email\":\"Ann@Example.TEST\",\"reason\":\"complaint\"}", 201);
		assertThat((String) JsonPath.read(first, "$.data.suppression.email")).isEqualTo("ann@example.test");
		assertThat((String) JsonPath.read(first, "$.data.suppression.reason")).isEqualTo("complaint");
		assertThat(post("", "{\"email\":\"ann@example.test\"}", 200)).isEqualTo(first);
		assertThat((String) JsonPath.read(post("", "{\"email\":\"b@example.test\"}", 201), "$.data.suppression.reason"))
			.isEqualTo("manual");
	}

	@Test
	void theListIsNewestFirstAndCanBeSearchedAndReadByCursor() {
		post("", "{\"email\":\"a_1@x.test\"}", 201);
		post("", "{\"email\":\"ab1@x.test\"}", 201);
		post("", "{\"email\":\"c%d@y.test\"}", 201);
		assertThat(emails("")).containsExactly("c%d@y.test", "ab1@x.test", "a_1@x.test");
		assertThat(emails("?search=A_1")).containsExactly("a_1@x.test");
		assertThat(emails("?search=%25")).containsExactly("c%d@y.test");
		assertThat(emails("?search=\0")).isEmpty();
		assertThat(emails("?page=2&limit=2")).containsExactly("a_1@x.test");
		String page = get("?limit=2");
		assertThat((Integer) JsonPath.read(page, "$.data.pagination.total")).isEqualTo(3);
		String cursor = JsonPath.read(page, "$.data.pagination.next_cursor");
		assertThat(emails("?limit=2&cursor=" + cursor)).containsExactly("a_1@x.test");
		this.person = Person.in(this.context);
		assertThat(emails("")).isEmpty();
	}

	@Test
	void aBulkCallCountsNewAddressesOnly() {
		post("", "{\"email\":\"a@x.test\"}", 201);
		String response = post("/bulk", "[{\"email\":\"A@x.test\"},{\"email\":\"b@x.test\",\"reason\":\"hard_bounce\"},"
				+ "{\"email\":\"B@x.test\"}]", 200);
		assertThat((Integer) JsonPath.read(response, "$.data.count")).isEqualTo(1);
		assertThat(Given.rows("select reason from suppression where account_id = '%s' order by address",
				this.person.account()))
			.containsExactly("manual", "hard_bounce");
		assertThat((Integer) JsonPath.read(post("/bulk", many(1000), 200), "$.data.count")).isEqualTo(1000);
		assertThat(post("/bulk", many(1001), 400)).contains("Invalid request data");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "|{}|email", "|{\"email\":\"nobody\"}|email", "|{\"email\":5}|email",
			"|{\"email\":\"a@b.test\",\"reason\":\"whim\"}|reason", "/bulk|[{\"email\":\"a@b.test\"},{}]|[1].email",
			"/bulk|[null]|[0].email", "/bulk|[{\"email\":\"a@b.test\",\"reason\":\"x\"}]|[0].reason" })
	void anInvalidFieldIsNamedInTheErrorAndNothingIsAdded(String path, String body, String field) {
		String response = post((path != null) ? path : "", body, 400);
		assertThat((String) JsonPath.read(response, "$.error")).isEqualTo("Invalid request data");
		assertThat((String) JsonPath.read(response, "$.details[0].field")).isEqualTo(field);
		assertThat(emails("")).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "[]", "{}", "7" })
	void aBulkCallRequiresANonEmptyArray(String body) {
		assertThat((String) JsonPath.read(post("/bulk", body, 400), "$.error")).isEqualTo("Invalid request data");
	}

	@Test
	void anEntryIsDeletedByItsOwnAccountOnly() {
		String path = "/api/suppressions/"
				+ JsonPath.read(post("", "{\"email\":\"a@x.test\"}", 201), "$.data.suppression.id");
		Person other = Person.in(this.context);
		for (String notFound : List.of(path, "/api/suppressions/" + UUID.randomUUID(), "/api/suppressions/nonsense")) {
			assertThat(body(this.client.call(HttpMethod.DELETE, other.token(), notFound), 404))
				.contains("Suppression not found");
		}
		assertThat(body(this.client.call(HttpMethod.DELETE, this.person.token(), path), 200))
			.contains("\"deleted\":true");
		assertThat(emails("")).isEmpty();
	}

	private List<String> emails(String query) {
		return JsonPath.read(get(query), "$.data.suppressions[*].email");
	}

	private String get(String query) {
		return body(this.client.web()
			.get()
			.uri(URI.create("http://localhost:" + this.port + "/api/suppressions" + query.replace("\0", "%00")))
			.headers((headers) -> headers.setBearerAuth(this.person.token()))
			.exchange(), 200);
	}

	private String post(String path, String body, int status) {
		return body(this.client.send(HttpMethod.POST, this.person.token(), "/api/suppressions" + path, body), status);
	}

	private static String many(int count) {
		return IntStream.range(0, count)
			.mapToObj("{\"email\":\"n%d@many.test\"}"::formatted)
			.collect(Collectors.joining(",", "[", "]"));
	}

	private static String body(WebTestClient.ResponseSpec response, int status) {
		return String.valueOf(
				response.expectStatus().isEqualTo(status).expectBody(String.class).returnResult().getResponseBody());
	}

}

package dev.mailroom.admin.graphql;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;

import dev.mailroom.admin.GraphQl;
import dev.mailroom.admin.WithAdmin;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.test.json.JsonCompareMode;
import org.springframework.test.web.reactive.server.EntityExchangeResult;

import static org.assertj.core.api.Assertions.assertThat;

/** Every form of a request without a credential, with fields that need one. */
@WithAdmin
class AnonymousRequestsTest {

	private static final String CLOSED = "{ viewer { account { email nothing } } }";

	private static final String OPEN = "mutation Open { signOut { done } }";

	/** Requests that name an operation, or none, in a way that leaves the choice open. */
	static final List<String> CLOSED_OPERATIONS = List.of(request(CLOSED, "\"\""), request(CLOSED, "null"),
			request(CLOSED, "\" \""), request(CLOSED, "\"Unknown\""), request("query A " + CLOSED, "\"A\""),
			request("query A " + CLOSED, "\"\""), request("query A " + CLOSED, "\"a\""),
			request(OPEN + " query B " + CLOSED, "\"B\""), request(OPEN + " query B " + CLOSED, "\"\""),
			request(OPEN + " query B " + CLOSED, "null"), request(OPEN + " query B " + CLOSED, "\"C\""),
			request(OPEN + " query Open " + CLOSED, "\"Open\""), request(OPEN, "\"Unknown\""),
			request("fragment F on Query " + CLOSED, "\"\""), request("fragment F on Query " + CLOSED, "null"),
			request("type Query { a: Int }", "null"), request("{ viewer @skip(if: true) { account { id } } }", "\"\""),
			request("{ ...F } fragment F on Query " + CLOSED, "\"\""), request("{ ... " + CLOSED + " }", "\"\""),
			request("subscription S { accountEvents { id } }", "\"\""),
			request("{ __schema { types { name } } }", "null"),
			request("{ __type(name: \\\"Account\\\") { name } }", "\"\""),
			request("{ signOut: viewer { account { id } } }", "null"), request("query { signOut { done } }", "null"),
			request("subscription { signOut { done } }", "null"),
			request("mutation { signOut: endSession(id: 1) { done } }", "null"),
			request("mutation { signOut { done } endSession(id: 1) { done } }", "\"\""),
			request("mutation { signOut @skip(if: true) { done } ... on Mutation @include(if: false) { nothing } }",
					"null"),
			request("mutation { ...F } fragment F on Mutation { signOut { done } ...G } "
					+ "fragment G on Mutation { endSession(id: 1) { done } ...F }", "null"),
			"{\"query\":\"" + OPEN + "\",\"query\":\"" + CLOSED + "\"}",
			"{\"operationName\":\"\",\"variables\":null,\"extensions\":{},\"query\":\"" + CLOSED + "\"}");

	/** Requests that are none. */
	static final List<String> MALFORMED = List.of("", "null", "[]", "\"" + CLOSED + "\"", "{}", "{\"query\":null}",
			"{\"query\":5}", "{\"query\":[\"" + CLOSED + "\"]}", "[" + request(CLOSED, "null") + "]",
			"[" + request(OPEN, "null") + "," + request(CLOSED, "null") + "]", "{\"id\":\"unknown\"}",
			"{\"id\":5,\"operationName\":\"\"}", request(CLOSED, "5"), request(CLOSED, "[\"A\"]"),
			request(CLOSED, "{}"), "{\"query\":\"" + CLOSED + "\",\"variables\":[]}",
			"{\"query\":\"" + CLOSED + "\",\"variables\":\"{}\"}", request(CLOSED, "null") + " x",
			"{\"query\":\"" + CLOSED + "\"",
			"{\"extensions\":{\"persistedQuery\":{\"version\":1,\"sha256Hash\":\"a\"}}}");

	/** Documents that the library refuses before it chooses an operation. */
	static final List<String> UNREADABLE = List.of("", " ", "#", "{", "{ }", "query", "viewer");

	@LocalServerPort
	int port;

	@Autowired
	StoredDocuments documents;

	GraphQl anybody;

	@BeforeEach
	void client() {
		this.anybody = GraphQl.at(this.port);
	}

	@ParameterizedTest
	@FieldSource("CLOSED_OPERATIONS")
	void isUnauthorizedAsAWholeWhateverItsOperationName(String body) {
		this.anybody.post(body).expectStatus().isUnauthorized();
	}

	@ParameterizedTest
	@FieldSource("MALFORMED")
	void isInvalidIfItIsNotOneOperation(String body) {
		this.anybody.post(body)
			.expectStatus()
			.isBadRequest()
			.expectBody()
			.jsonPath("$.name")
			.isEqualTo("invalid_request_data");
	}

	@ParameterizedTest
	@FieldSource("UNREADABLE")
	void hasNoDataIfItsDocumentIsUnreadable(String document) {
		EntityExchangeResult<byte[]> result = this.anybody.post(request(document, "\"\""))
			.expectBody(byte[].class)
			.returnResult();
		assertThat(new String(result.getResponseBody(), StandardCharsets.UTF_8)).contains("invalid_request_data")
			.doesNotContain("\"data\":{");
	}

	@ParameterizedTest
	@ValueSource(strings = { "application/graphql", "application/graphql+json", "application/graphql-response+json",
			"application/x-www-form-urlencoded", "multipart/form-data; boundary=b", "text/plain", "text/event-stream" })
	void isRefusedAsAnotherMediaType(String type) {
		for (String body : new String[] { CLOSED, request(CLOSED, "null"), request(OPEN, "null"),
				"--b\r\nContent-Disposition: form-data; name=operations\r\n\r\n" + request(CLOSED, "null")
						+ "\r\n--b--" }) {
			this.anybody.web()
				.post()
				.uri("/graphql")
				.header("Content-Type", type)
				.bodyValue(body)
				.exchange()
				.expectStatus()
				.isEqualTo(415);
		}
	}

	@Test
	void isUnauthorizedIfItAsksForAStream() {
		this.anybody.web()
			.post()
			.uri("/graphql")
			.contentType(MediaType.APPLICATION_JSON)
			.accept(MediaType.TEXT_EVENT_STREAM)
			.bodyValue(request("subscription S { accountEvents { id } }", "\"S\""))
			.exchange()
			.expectStatus()
			.isUnauthorized();
	}

	@Test
	void isJudgedByItsBodyWhateverTheQueryOfItsUrlSays() {
		this.anybody.web()
			.post()
			.uri("/graphql?query={query}&operationName=", CLOSED)
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue(request(OPEN, "null"))
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.json("{\"data\":{\"signOut\":{\"done\":true}}}", JsonCompareMode.STRICT);
	}

	@Test
	void isUnauthorizedForEveryStoredDocument() {
		assertThat(this.documents.all()).hasSizeGreaterThan(50);
		this.documents.all()
			.keySet()
			.forEach((id) -> this.anybody.post("{\"id\":\"" + id + "\"}").expectStatus().isUnauthorized());
	}

	@ParameterizedTest
	@ValueSource(strings = { "GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS" })
	void isRefusedWithAnotherMethod(String method) {
		this.anybody.web()
			.method(HttpMethod.valueOf(method))
			.uri("/graphql?query={query}&operationName=", CLOSED)
			.exchange()
			.expectStatus()
			.isEqualTo(405);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/graphql/", "/%67raphql", "/graphql;a=b", "//graphql", "/GraphQL", "/graphql/x" })
	void hasNoOtherPath(String path) {
		int status = this.anybody.web()
			.post()
			.uri(URI.create("http://localhost:" + this.port + path))
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue(request(CLOSED, "\"\""))
			.exchange()
			.returnResult(byte[].class)
			.getStatus()
			.value();
		assertThat(status).isIn(400, 401, 404, 405);
	}

	@Test
	void isExecutedIfTheChosenOperationNeedsNoCredential() {
		for (String body : new String[] { request(OPEN, "\"\""), request(OPEN, "null"), request(OPEN, "\"Open\""),
				request(OPEN + " query B { viewer { account { id } } }", "\"Open\"") }) {
			JsonNode response = JsonMapper.shared()
				.readTree(this.anybody.post(body).expectBody(byte[].class).returnResult().getResponseBody());
			assertThat(response.path("data").path("signOut").path("done").asBoolean()).as(body).isTrue();
		}
	}

	private static String request(String document, String operationName) {
		return "{\"query\":\"" + document + "\",\"operationName\":" + operationName + "}";
	}

}

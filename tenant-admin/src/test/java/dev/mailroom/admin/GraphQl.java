package dev.mailroom.admin;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

/** A client of the GraphQL endpoint with one credential. */
public final class GraphQl {

	private static final JsonMapper JSON = JsonMapper.builder().build();

	private final WebTestClient web;

	private final @Nullable String token;

	private final @Nullable String watch;

	private GraphQl(WebTestClient web, @Nullable String token, @Nullable String watch) {
		this.web = web;
		this.token = token;
		this.watch = watch;
	}

	/** A client without a credential. */
	public static GraphQl at(int port) {
		return new GraphQl(WebTestClient.bindToServer()
			.baseUrl("http://localhost:" + port)
			.responseTimeout(Duration.ofSeconds(60))
			.codecs((codecs) -> codecs.defaultCodecs().maxInMemorySize(16 * 1024 * 1024))
			.build(), null, null);
	}

	/** The same client with the access token of a person. */
	public GraphQl as(Person person) {
		return as(person.token());
	}

	/** The same client with a token. */
	public GraphQl as(String bearer) {
		return new GraphQl(this.web, bearer, null);
	}

	/** The same client with the token of a watch. */
	public GraphQl watching(String watch) {
		return new GraphQl(this.web, this.token, watch);
	}

	/** The underlying client. */
	public WebTestClient web() {
		return this.web;
	}

	/** Sends a body and returns the exchange. */
	public WebTestClient.ResponseSpec post(String body) {
		WebTestClient.RequestBodySpec request = this.web.post()
			.uri("/graphql")
			.contentType(MediaType.APPLICATION_JSON)
			.accept(MediaType.APPLICATION_JSON);
		if (this.token != null) {
			request.headers((headers) -> headers.setBearerAuth(this.token));
		}
		if (this.watch != null) {
			request.header("X-Mailroom-Watch", this.watch);
		}
		return request.bodyValue(body).exchange();
	}

	/** The body of a request. */
	public static String body(String document, Map<String, ?> variables) {
		Map<String, Object> request = new LinkedHashMap<>();
		request.put("query", document);
		request.put("variables", variables);
		return JSON.writeValueAsString(request);
	}

	/** The response to a document. */
	public JsonNode send(String document, Map<String, ?> variables) {
		byte[] response = post(body(document, variables)).expectStatus()
			.isOk()
			.expectBody(byte[].class)
			.returnResult()
			.getResponseBody();
		return JSON.readTree(response);
	}

	/** Requires that a document is refused as a whole for lack of a valid token. */
	public void isUnauthorized(String document) {
		post(body(document, Map.of())).expectStatus()
			.isUnauthorized()
			.expectHeader()
			.valueEquals("WWW-Authenticate", "Bearer")
			.expectBody()
			.jsonPath("$.error")
			.isEqualTo("Unauthorized")
			.jsonPath("$.name")
			.isEqualTo("unauthorized");
	}

	/** The data of a response without errors. */
	public JsonNode data(String document) {
		return data(document, Map.of());
	}

	/** The data of a response without errors. */
	public JsonNode data(String document, Map<String, ?> variables) {
		JsonNode response = send(document, variables);
		assertThat(response.path("errors").toString()).as(document).isIn("", "null");
		return response.path("data");
	}

	/** The payload of a mutation without errors. */
	public JsonNode change(String mutation, String arguments, String fields) {
		JsonNode payload = data(
				"mutation { " + mutation + arguments + " { " + fields + " userErrors { name error message field } } }")
			.path(mutation);
		assertThat(payload.path("userErrors").toString()).as(mutation).isEqualTo("[]");
		return payload;
	}

	/** The extensions of the only error of a response. */
	public JsonNode error(String document) {
		JsonNode errors = send(document, Map.of()).path("errors");
		assertThat(errors.size()).as(errors.toString()).isEqualTo(1);
		return errors.path(0).path("extensions");
	}

	/** The names of the user errors of a mutation. */
	public String userError(String mutation, String arguments) {
		return data("mutation { " + mutation + arguments + " { userErrors { name message } } }").path(mutation)
			.path("userErrors")
			.path(0)
			.path("name")
			.asString("");
	}

}

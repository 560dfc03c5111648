package dev.mailroom.api.docs;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.server.ResponseStatusException;

import static org.assertj.core.api.Assertions.assertThat;

/** Responses of operations that a document marks as deprecated. */
class DeprecationsTest {

	private static final String DOCUMENT = """
			openapi: 3.1.1
			paths:
			  /books/{id}:
			    get:
			      operationId: getBook
			      deprecated: true
			      x-deprecation: { since: '2026-12-01', sunset: '2027-12-01', link: /docs/versions }
			    put: { operationId: putBook }
			  /books/all: { get: { operationId: getBooks } }
			  /root:
			    servers: [{ url: / }]
			    post:
			      operationId: postRoot
			      deprecated: true
			      x-deprecation: { since: '2026-12-01', sunset: '2028-02-29', link: 'https://mail.test/root' }
			""";

	private final Deprecations deprecations = new Deprecations(document(DOCUMENT));

	private final WebTestClient client = WebTestClient
		.bindToWebHandler((exchange) -> exchange.getRequest().getPath().value().endsWith("/refused")
				? Mono.error(new ResponseStatusException(HttpStatus.CONFLICT)) : exchange.getResponse().setComplete())
		.webFilter(this.deprecations)
		.build();

	@Test
	void aDeprecatedOperationNamesItsEndAndWhatReplacesIt() {
		for (HttpMethod method : new HttpMethod[] { HttpMethod.GET, HttpMethod.HEAD }) {
			HttpHeaders headers = headers(method, "/api/books/17");
			assertThat(headers.toSingleValueMap()).containsEntry("Deprecation", "@1796083200")
				.containsEntry("Sunset", "Wed, 01 Dec 2027 00:00:00 GMT")
				.containsEntry("Link", "</docs/versions>; rel=\"deprecation\"; type=\"text/html\"");
		}
		assertThat(headers(HttpMethod.GET, "/api/books/refused").getFirst("Sunset")).as("of a refusal").isNotNull();
		assertThat(headers(HttpMethod.POST, "/root").getFirst("Sunset")).isEqualTo("Tue, 29 Feb 2028 00:00:00 GMT");
		assertThat(this.deprecations.hasEnd(HttpMethod.POST, "/root")).isTrue();
	}

	@Test
	void otherOperationsDoNot() {
		assertThat(headers(HttpMethod.PUT, "/api/books/17").headerNames()).doesNotContain("Deprecation");
		assertThat(headers(HttpMethod.GET, "/api/books/all").headerNames()).doesNotContain("Deprecation");
		assertThat(headers(HttpMethod.POST, "/api/root").headerNames()).doesNotContain("Deprecation");
		assertThat(this.deprecations.hasEnd(HttpMethod.POST, "/api/emails")).isFalse();
	}

	/** The table costs nothing as long as nothing is deprecated. */
	@Test
	void aDocumentWithoutDeprecationsHasNoTable() {
		assertThat(document("openapi: 3.1.1\npaths: { /books: { get: { operationId: getBooks } } }").deprecations())
			.isEmpty();
		Contract.written()
			.operations()
			.forEach((operation) -> assertThat(operation.node().has("x-deprecation")).as(operation.toString())
				.isEqualTo(operation.node().path("deprecated").asBoolean(false)));
	}

	private static ApiDocument document(String yaml) {
		return new ApiDocument(yaml.getBytes(StandardCharsets.UTF_8));
	}

	private HttpHeaders headers(HttpMethod method, String path) {
		return this.client.method(method).uri(path).exchange().returnResult(Void.class).getResponseHeaders();
	}

}

package dev.mailroom.api.http;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.jayway.jsonpath.JsonPath;
import dev.mailroom.Scope;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

/** Idempotency-Key of routes that create a resource. */
@WithApi
class OnceTest {

	@LocalServerPort
	int port;

	@Autowired
	Idempotent idempotent;

	@Autowired
	MeterRegistry meters;

	@Autowired
	Client client;

	@Autowired
	Person person;

	@Test
	void concurrentRequestsWithOneKeyCreateOneResourceAndHaveOneResponse() {
		String name = UUID.randomUUID().toString();
		List<String> responses = IntStream.range(0, 8)
			.parallel()
			.mapToObj((_) -> create("one", name))
			.peek((response) -> assertThat(response.getStatus().value()).isEqualTo(201))
			.map((response) -> String.valueOf(response.getResponseBody()))
			.toList();
		assertThat(responses).hasSize(8).containsOnly(responses.getFirst());
		this.client.get(this.person.token(), "/api/templates")
			.expectBody()
			.jsonPath("$.data.pagination.total")
			.isEqualTo(1);
	}

	@Test
	void aReplayedResponseIsMarkedAndAnotherBodyIsRefused() {
		String name = UUID.randomUUID().toString();
		List<Double> before = requestsWithAKey();
		assertThat(create("two", name).getResponseHeaders().getFirst("Idempotency-Replayed")).isNull();
		assertThat(create("two", name).getResponseHeaders().getFirst("Idempotency-Replayed")).isEqualTo("true");
		EntityExchangeResult<String> other = create("two", "other-" + name);
		assertThat(other.getStatus().value()).isEqualTo(409);
		assertThat(other.getResponseBody()).contains("\"error\":\"Idempotency key reused\"");
		until("the counts", () -> {
			List<Double> after = requestsWithAKey();
			return IntStream.range(0, after.size()).allMatch((i) -> after.get(i) >= before.get(i) + 1);
		});
	}

	/** Requests with a new key, a replay and a reused key. */
	private List<Double> requestsWithAKey() {
		return Stream.of("new", "replayed", "reused")
			.map((result) -> this.meters.counter("mailroom.idempotency", "result", result).count())
			.toList();
	}

	@Test
	void aRefusalIsNotStored() {
		String name = UUID.randomUUID().toString();
		assertThat(create("three", "").getStatus().value()).isEqualTo(400);
		assertThat(create("three", name).getStatus().value()).isEqualTo(201);
	}

	@Test
	void slowStepsRunOutsideOfTheTransactionAndNotForAReplay() {
		Scope scope = Scope.of(this.person.account());
		IdempotencyKey key = new IdempotencyKey("POST /api/slow", "five", "hash");
		Mono<Boolean> preparation = Mono.deferContextual((context) -> Mono
			.just(context.stream().noneMatch((entry) -> String.valueOf(entry.getKey()).contains("Transaction"))));
		ResponseEntity<Object> first = await(this.idempotent.answer(scope, key, HttpStatus.OK, preparation,
				(free) -> Mono.just(Map.of("free", free))));
		assertThat(first.getBody()).isEqualTo(Map.of("free", true));
		ResponseEntity<Object> replayed = await(this.idempotent.answer(scope, key, HttpStatus.OK,
				Mono.error(new IllegalStateException("prepared again")), (_) -> Mono.just("")));
		assertThat(replayed.getBody()).isEqualTo("{\"free\":true}");
	}

	@Test
	void aDomainIsCreatedAndRotatedOnceForAKey() {
		String created = domain("", "{\"name\":\"" + UUID.randomUUID() + ".test\"}", 201);
		String id = JsonPath.read(created, "$.data.domain.id");
		domain("/" + id + "/dkim/rotate", "", 200);
	}

	/** The response to a request and to its repetition. */
	private String domain(String path, String body, int status) {
		List<String> responses = IntStream.range(0, 2).mapToObj((_) -> {
			EntityExchangeResult<String> response = this.client.web()
				.post()
				.uri("/api/domains" + path)
				.headers((headers) -> headers.setBearerAuth(this.person.token()))
				.header("Idempotency-Key", "domain")
				.contentType(MediaType.APPLICATION_JSON)
				.bodyValue(body)
				.exchange()
				.expectBody(String.class)
				.returnResult();
			assertThat(response.getStatus().value()).isEqualTo(status);
			return String.valueOf(response.getResponseBody());
		}).toList();
		assertThat(responses.getLast()).isEqualTo(responses.getFirst());
		return responses.getFirst();
	}

	@Test
	void thePathOfAKeyHasOneSpelling() {
		String name = UUID.randomUUID().toString();
		assertThat(create("/api/templates", "four", name).getStatus().value()).isEqualTo(201);
		assertThat(create("/api/%74emplates", "four", name).getResponseHeaders().getFirst("Idempotency-Replayed"))
			.isEqualTo("true");
		for (String path : List.of("/api/templates;x=1", "/api/templates;" + "x".repeat(3000), "/api/emails;;;")) {
			WebTestClient.bindToServer()
				.build()
				.post()
				.uri(URI.create("http://localhost:" + this.port + path))
				.headers((headers) -> headers.setBearerAuth(this.person.token()))
				.header("Idempotency-Key", "four")
				.contentType(MediaType.APPLICATION_JSON)
				.bodyValue("{\"name\":\"" + name + "\",\"text_content\":\"Hello\"}")
				.exchange()
				.expectStatus()
				.isNotFound();
		}
		EntityExchangeResult<String> unknown = create("/api/domains/" + "x".repeat(3000) + "/verify", "four", name);
		assertThat(unknown.getStatus().value()).isEqualTo(404);
		assertThat(unknown.getResponseBody()).contains("\"error\":\"Domain not found\"");
	}

	private EntityExchangeResult<String> create(String key, String name) {
		return create("/api/templates", key, name);
	}

	private EntityExchangeResult<String> create(String path, String key, String name) {
		return this.client.web()
			.post()
			.uri(URI.create("http://localhost:" + this.port + path))
			.headers((headers) -> headers.setBearerAuth(this.person.token()))
			.header("Idempotency-Key", key)
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue("{\"name\":\"" + name + "\",\"text_content\":\"Hello\"}")
			.exchange()
			.expectBody(String.class)
			.returnResult();
	}

}

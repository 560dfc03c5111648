package dev.mailroom.api.idempotency;

import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import dev.mailroom.api.ApiTest;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.EntityExchangeResult;

import static org.assertj.core.api.Assertions.assertThat;

/** Idempotency-Key of routes that create a resource. */
@ApiTest
class OnceTest {

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	private Client client;

	private Person person;

	@BeforeEach
	void connect() {
		this.client = new Client(this.port);
		this.person = Person.in(this.context);
	}

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
		assertThat(create("two", name).getResponseHeaders().getFirst("Idempotency-Replayed")).isNull();
		assertThat(create("two", name).getResponseHeaders().getFirst("Idempotency-Replayed")).isEqualTo("true");
		EntityExchangeResult<String> other = create("two", "other-" + name);
		assertThat(other.getStatus().value()).isEqualTo(409);
		assertThat(other.getResponseBody()).contains("\"error\":\"Idempotency key reused\"");
	}

	@Test
	void aRefusalIsNotStored() {
		String name = UUID.randomUUID().toString();
		assertThat(create("three", "").getStatus().value()).isEqualTo(400);
		assertThat(create("three", name).getStatus().value()).isEqualTo(201);
	}

	private EntityExchangeResult<String> create(String key, String name) {
		return this.client.web()
			.post()
			.uri("/api/templates")
			.headers((headers) -> headers.setBearerAuth(this.person.token()))
			.header("Idempotency-Key", key)
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue("{\"name\":\"" + name + "\",\"text_content\":\"Hello\"}")
			.exchange()
			.expectBody(String.class)
			.returnResult();
	}

}

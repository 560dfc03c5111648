package dev.mailroom.api.rate;

import java.util.List;
import java.util.stream.IntStream;

import dev.mailroom.api.ApiTest;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpHeaders;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.reactive.server.EntityExchangeResult;

import static org.assertj.core.api.Assertions.assertThat;

@ApiTest
@TestPropertySource(properties = { "mailroom.rate-limit.others=1", "mailroom.rate-limit.other-burst=3" })
class RateLimitsTest {

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	private Client client;

	@BeforeEach
	void connect() {
		this.client = new Client(this.port);
	}

	@Test
	void eachResponseHasTheRateLimitHeaders() {
		HttpHeaders headers = get(Person.in(this.context)).getResponseHeaders();
		assertThat(headers.getFirst("RateLimit-Limit")).isEqualTo("3");
		assertThat(headers.getFirst("RateLimit-Remaining")).isEqualTo("2");
		assertThat(headers.getFirst("RateLimit-Reset")).isEqualTo("1");
	}

	@Test
	void tooManyRequestsAreRefusedWithRetryAfter() {
		Person person = Person.in(this.context);
		List<EntityExchangeResult<String>> responses = IntStream.range(0, 20).mapToObj((_) -> get(person)).toList();
		assertThat(responses.subList(0, 3)).allMatch((response) -> response.getStatus().value() == 200);
		EntityExchangeResult<String> refused = responses.stream()
			.filter((response) -> response.getStatus().value() == 429)
			.findFirst()
			.orElseThrow();
		assertThat(refused.getResponseBody()).contains("\"error\":\"Rate limit exceeded\"");
		assertThat(refused.getResponseHeaders().getFirst("Retry-After")).isEqualTo("1");
		assertThat(refused.getResponseHeaders().getFirst("RateLimit-Remaining")).isEqualTo("0");
	}

	@Test
	void limitsAreSeparateForEachAccount() {
		Person busy = Person.in(this.context);
		IntStream.range(0, 20).forEach((_) -> get(busy));
		assertThat(get(Person.in(this.context)).getStatus().value()).isEqualTo(200);
	}

	@Test
	void requestsWithoutCredentialsAreNotCounted() {
		HttpHeaders headers = this.client.post("/api/auth/login", "{}")
			.expectBody(String.class)
			.returnResult()
			.getResponseHeaders();
		assertThat(headers.containsHeader("RateLimit-Limit")).isFalse();
	}

	private EntityExchangeResult<String> get(Person person) {
		return this.client.get(person.token(), "/api/domains").expectBody(String.class).returnResult();
	}

}

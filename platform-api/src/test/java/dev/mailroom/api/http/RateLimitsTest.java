package dev.mailroom.api.http;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.account.ApiKeys;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.reactive.server.EntityExchangeResult;

import static org.assertj.core.api.Assertions.assertThat;

@WithApi
@TestPropertySource(properties = { "mailroom.rate-limit.others=1", "mailroom.rate-limit.other-burst=3",
		"mailroom.rate-limit.sends=1", "mailroom.rate-limit.send-burst=1" })
class RateLimitsTest {

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	@Autowired
	Client client;

	@Test
	void eachResponseHasTheRateLimitHeaders() {
		HttpHeaders headers = get(Person.in(this.context)).getResponseHeaders();
		assertThat(headers.getFirst("RateLimit-Limit")).isEqualTo("3");
		assertThat(headers.getFirst("RateLimit-Remaining")).isEqualTo("2");
		assertThat(headers.getFirst("RateLimit-Reset")).isEqualTo("1");
		assertThat(headers.getFirst("RateLimit-Policy")).isEqualTo("\"request\";q=3;w=3");
		assertThat(headers.getFirst("RateLimit")).isEqualTo("\"request\";r=2;t=1");
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
	void aRateThatAnOperatorSetTakesPrecedence() {
		Person person = Person.in(this.context);
		Given.run("update account set send_rate = 4 where id = '%s'", person.account());
		Await.until("the rate is in force", () -> {
			ServerHttpResponse response = new MockServerHttpResponse();
			Await
				.errorName(Mono.fromRunnable(
						() -> this.context.getBean(RateLimits.class).consume(person.account(), true, response)))
				.block();
			return "4".equals(response.getHeaders().getFirst("RateLimit-Limit"));
		});
	}

	@Test
	void requestsToSendAreLimitedAheadOfTheFiltersAsBehindThem() {
		String policy = " \"send\";q=1;w=1, \"day\";q=100;w=86400, \"month\";q=3000 n 29n";
		Set<String> expected = Set.of("200 1 0 false" + policy, "429 1 0 true \"send\";q=1;w=1");
		assertThat(sends("/api/emails", BodyPublishers::ofByteArray)).isEqualTo(expected);
		// A body that is sent in chunks takes the filters, as does another spelling of
		// the
		// path.
		assertThat(sends("/api/emails", (body) -> BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body))))
			.isEqualTo(expected);
		assertThat(sends("/api/%65mails", BodyPublishers::ofByteArray)).isEqualTo(expected);
		assertThat(sends("/compat/resend/emails", BodyPublishers::ofByteArray)).isEqualTo(expected);
	}

	/** The different results of concurrent requests to send. */
	private Set<String> sends(String path, Function<byte[], BodyPublisher> publisher) {
		Scope scope = Given.sender("free");
		String key = Await
			.await(this.context.getBean(ApiKeys.class)
				.create(Scope.of(scope.account()), scope.domain(), "key", List.of("send")))
			.text();
		byte[] mail = "{\"from\":\"a@%s.test\",\"to\":\"b@c.test\",\"subject\":\"s\",\"text\":\"x\"}"
			.formatted(scope.domain())
			.getBytes(StandardCharsets.UTF_8);
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + this.port + path))
			.header("Authorization", "Bearer " + key)
			.header("Content-Type", "application/json")
			.POST(publisher.apply(mail))
			.build();
		try (HttpClient http = HttpClient.newHttpClient()) {
			return IntStream.range(0, 20)
				.mapToObj((_) -> http.sendAsync(request, BodyHandlers.ofString()))
				.toList()
				.stream()
				// Another one is admitted if they take longer than a second.
				.map((response) -> result(response.join()).replaceFirst(" (\\d\\d) 29\\1$", " n 29n"))
				.collect(Collectors.toSet());
		}
	}

	private static String result(HttpResponse<String> response) {
		String policy = header(response, "RateLimit-Policy").replaceAll("(\"month\";q=\\d+);w=\\d+", "$1");
		String left = Pattern.compile("\"(?:day|month)\";r=(\\d+);t=\\d+")
			.matcher(header(response, "RateLimit"))
			.results()
			.map((quota) -> " " + quota.group(1))
			.collect(Collectors.joining());
		return response.statusCode() + " " + header(response, "RateLimit-Limit") + " "
				+ header(response, "RateLimit-Remaining") + " "
				+ response.headers().firstValue("Retry-After").isPresent() + " " + policy + left;
	}

	private static String header(HttpResponse<String> response, String name) {
		return response.headers().firstValue(name).orElse("");
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

package dev.mailroom.api.http;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.account.ApiKeys;
import dev.mailroom.api.WithApi;
import dev.mailroom.observability.LoggedRequest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatchers;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

@WithApi
@Import(GatesTest.Probe.class)
@ExtendWith(OutputCaptureExtension.class)
class GatesTest {

	private static final Duration DEADLINE = Duration.ofSeconds(30);

	@LocalServerPort
	int port;

	@Autowired
	Probe probe;

	@Autowired
	ApiKeys keys;

	WebTestClient client;

	@BeforeEach
	void connect() {
		this.client = WebTestClient.bindToServer().baseUrl("http://localhost:" + this.port).build();
	}

	@ParameterizedTest
	@ValueSource(strings = { "text/plain", "text/html, image/*", "application/json;q=0, text/plain", "not a type" })
	void aRequestThatDoesNotAcceptJsonIsNotHandled(String accept) {
		int before = this.probe.posts.get();
		this.client.post()
			.uri("/api/probe")
			.header(HttpHeaders.ACCEPT, accept)
			.exchange()
			.expectStatus()
			.isBadRequest()
			.expectHeader()
			.contentType(MediaType.APPLICATION_JSON)
			.expectBody()
			.jsonPath("$.error")
			.isEqualTo("Invalid request data");
		assertThat(this.probe.posts).hasValue(before);
	}

	@Test
	void noMailIsStoredForARequestThatDoesNotAcceptJson() {
		UUID account = Given.account("free");
		UUID domain = Given.domain(account);
		String key = this.keys.create(Scope.of(account), domain, "k", List.of("send")).block(DEADLINE).text();
		for (String accept : List.of("text/plain", "application/problem+json")) {
			this.client.post()
				.uri("/api/emails")
				.headers((headers) -> headers.setBearerAuth(key))
				.header(HttpHeaders.ACCEPT, accept)
				.contentType(MediaType.APPLICATION_JSON)
				.bodyValue("{\"from\":\"a@%s.test\",\"to\":\"b@c.test\",\"subject\":\"%s\",\"text\":\"x\"}"
					.formatted(domain, accept))
				.exchange()
				.expectStatus()
				.isEqualTo(accept.equals("text/plain") ? 400 : 200);
		}
		assertThat(Given.rows("select subject from email where account_id = '%s'", account))
			.containsExactly("application/problem+json");
	}

	@ParameterizedTest
	@ValueSource(strings = { "application/json", "application/problem+json", "*/*", "application/*", "text/html, */*" })
	void aSuccessfulResponseIsJsonForEveryAcceptedType(String accept) {
		this.client.post()
			.uri("/api/probe")
			.header(HttpHeaders.ACCEPT, accept)
			.exchange()
			.expectStatus()
			.isOk()
			.expectHeader()
			.contentType(MediaType.APPLICATION_JSON)
			.expectHeader()
			.valueEquals(HttpHeaders.CACHE_CONTROL, "no-store")
			.expectHeader()
			.valueEquals("X-Content-Type-Options", "nosniff")
			.expectHeader()
			.valueMatches("Strict-Transport-Security", "max-age=\\d{8}.*");
	}

	@Test
	void anInvalidParameterIsNamed() {
		for (String query : new String[] { "?count=many", "" }) {
			this.client.get()
				.uri("/api/probe" + query)
				.exchange()
				.expectStatus()
				.isBadRequest()
				.expectHeader()
				.valueEquals(HttpHeaders.CACHE_CONTROL, "no-store")
				.expectBody()
				.jsonPath("$.details[0].field")
				.isEqualTo("count");
		}
	}

	@Test
	void logEntriesOfARequestHaveItsIdButNotItsPath(CapturedOutput output) {
		this.client.get()
			.uri("/api/probe/a-token?key=a-secret")
			.header("X-Request-Id", "traced-1")
			.exchange()
			.expectStatus()
			.isEqualTo(500);
		assertThat(output.toString().lines().filter((line) -> line.contains("traced-1")))
			.anyMatch((line) -> line.contains("on another thread"))
			.anyMatch((line) -> line.contains("GET /api/probe/{token} failed"));
		assertThat(output).doesNotContain("a-token", "a-secret");
	}

	@Test
	void everyErrorHasAPageAndAnUnknownOneIsNotFound() {
		this.client.get()
			.uri("/docs/errors/from_domain_mismatch")
			.accept(MediaType.TEXT_HTML)
			.exchange()
			.expectStatus()
			.isOk()
			.expectHeader()
			.contentTypeCompatibleWith(MediaType.TEXT_HTML)
			.expectHeader()
			.valueMatches("Content-Security-Policy", "default-src 'none'.*")
			.expectBody(String.class)
			.value((html) -> assertThat(html).contains("<h1>From domain mismatch</h1>", "status 403", "What to do"));
		this.client.get().uri("/docs/errors/nothing").exchange().expectStatus().isNotFound();
	}

	/** Routes of the test, open to everyone. */
	@RestController
	static class Probe {

		private static final Logger log = LoggerFactory.getLogger("Probe");

		final AtomicInteger posts = new AtomicInteger();

		@Bean
		@Order(-10)
		static SecurityWebFilterChain open(ServerHttpSecurity http) {
			return http.securityMatcher(ServerWebExchangeMatchers.pathMatchers("/api/probe", "/api/probe/**"))
				.csrf(ServerHttpSecurity.CsrfSpec::disable)
				.authorizeExchange((all) -> all.anyExchange().permitAll())
				.build();
		}

		@PostMapping("/probe")
		Success post() {
			return Success.of("posts", this.posts.incrementAndGet());
		}

		@GetMapping("/probe")
		Success read(@RequestParam int count) {
			return Success.of("count", count);
		}

		@GetMapping("/probe/{token}")
		Mono<Success> fail(@PathVariable String token) {
			return Mono.just(token)
				.publishOn(Schedulers.boundedElastic())
				.flatMap((_) -> Mono.deferContextual((context) -> {
					LoggedRequest.with(context, () -> log.info("on another thread"));
					return Mono.error(new IllegalStateException("broken"));
				}));
		}

	}

}

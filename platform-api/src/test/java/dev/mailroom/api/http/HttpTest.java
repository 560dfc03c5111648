package dev.mailroom.api.http;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Refusal;
import dev.mailroom.api.WithApi;
import dev.mailroom.api.docs.Contract;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

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
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

@WithApi
@Import(HttpTest.Open.class)
class HttpTest {

	@LocalServerPort
	int port;

	WebTestClient client;

	@BeforeEach
	void connect() {
		this.client = WebTestClient.bindToServer().baseUrl("http://localhost:" + this.port + "/api/test").build();
	}

	@Test
	void everyErrorHasTheBodyOfTheContractWithoutInternalDetails() {
		this.client.get()
			.uri("/fault")
			.header("X-Request-Id", "mine-1")
			.exchange()
			.expectStatus()
			.isEqualTo(500)
			.expectHeader()
			.valueEquals("X-Request-Id", "mine-1")
			.expectHeader()
			.contentType(MediaType.APPLICATION_JSON)
			.expectBody(String.class)
			.value((body) -> assertThat(body)
				.contains("\"error\":\"Internal error\"", "\"request_id\":\"mine-1\"", "/docs/errors/internal_error")
				.doesNotContain("secret", "Exception", "details"));
	}

	@Test
	void aRequestSelectsAVersionThatItsResponseNames() {
		assertThat(Contract.written().tree().at("/info/x-api-version").stringValue()).isEqualTo(ApiVersion.NEWEST);
		for (String path : List.of("/fault", "/nothing")) {
			this.client.get().uri(path).exchange().expectHeader().valueEquals("Api-Version", ApiVersion.NEWEST);
		}
		this.client.get()
			.uri("/refused")
			.header("Api-Version", ApiVersion.NEWEST)
			.exchange()
			.expectStatus()
			.isEqualTo(429)
			.expectHeader()
			.valueEquals("Api-Version", ApiVersion.NEWEST);
		this.client.get()
			.uri("/refused")
			.header("Api-Version", "2026-11-02")
			.exchange()
			.expectStatus()
			.isBadRequest()
			.expectHeader()
			.valueEquals("Api-Version", ApiVersion.NEWEST)
			.expectBody()
			.jsonPath("$.error")
			.isEqualTo("Invalid request data");
	}

	@Test
	void aRefusalHasItsMessageAndRetryAfter() {
		this.client.get()
			.uri("/refused")
			.exchange()
			.expectStatus()
			.isEqualTo(429)
			.expectHeader()
			.valueEquals(HttpHeaders.RETRY_AFTER, "7")
			.expectBody()
			.jsonPath("$.message")
			.isEqualTo("because")
			.jsonPath("$.success")
			.isEqualTo(false);
		this.client.get()
			.uri("/refused")
			.accept(MediaType.APPLICATION_PROBLEM_JSON)
			.exchange()
			.expectHeader()
			.contentType(MediaType.APPLICATION_PROBLEM_JSON)
			.expectBody()
			.jsonPath("$.status")
			.isEqualTo(429)
			.jsonPath("$.detail")
			.isEqualTo("because");
	}

	@Test
	void aWrongMethodPathTypeAndSizeEachHaveTheirError() {
		this.client.delete().exchange().expectStatus().isEqualTo(405).expectHeader().valueEquals("Allow", "POST");
		this.client.get()
			.uri("/nowhere")
			.exchange()
			.expectStatus()
			.isNotFound()
			.expectBody()
			.jsonPath("$.error")
			.exists();
		this.client.post()
			.contentType(MediaType.TEXT_PLAIN)
			.bodyValue("x")
			.exchange()
			.expectStatus()
			.isEqualTo(415)
			.expectBody()
			.jsonPath("$.name")
			.isEqualTo("unsupported_media_type");
		post("{\"someText\":\"" + "x".repeat(26 * 1024 * 1024) + "\"}").expectStatus()
			.isEqualTo(413)
			.expectBody()
			.jsonPath("$.error")
			.isEqualTo("Payload too large");
	}

	@Test
	void aMalformedIdIsAnUnknownId() {
		for (String id : List.of("x", "1-1-1-1-1", new UUID(0, 0).toString())) {
			this.client.get()
				.uri("/things/" + id)
				.exchange()
				.expectStatus()
				.isNotFound()
				.expectBody()
				.jsonPath("$.message")
				.isEqualTo("none has it");
		}
	}

	@Test
	void pageAndLimitAreWithinTheirRanges() {
		this.client.get()
			.uri("/list?page=2&limit=3")
			.exchange()
			.expectBody()
			.json("{\"data\":{\"things\":[\"a\"],\"pagination\":{\"page\":2,\"limit\":3,\"total\":7,\"totalPages\":3}}}");
		this.client.get().uri("/list").exchange().expectBody().jsonPath("$.data.pagination.limit").isEqualTo(5);
		this.client.get().uri("/list?page=99999999999").exchange().expectStatus().isOk();
		for (String query : List.of("page=0", "limit=0", "limit=11", "page=x", "limit=")) {
			this.client.get()
				.uri("/list?" + query)
				.exchange()
				.expectStatus()
				.isBadRequest()
				.expectBody()
				.jsonPath("$.details[0].field")
				.isEqualTo(query.substring(0, query.indexOf('=')));
		}
	}

	private WebTestClient.ResponseSpec post(String body) {
		return this.client.post().contentType(MediaType.APPLICATION_JSON).bodyValue(body).exchange();
	}

	/** Routes of the test, open to everyone. */
	@RestController
	static class Open {

		@Bean
		@Order(-10)
		static SecurityWebFilterChain open(ServerHttpSecurity http) {
			return http.securityMatcher(ServerWebExchangeMatchers.pathMatchers("/api/test/**", "/api/test"))
				.csrf(ServerHttpSecurity.CsrfSpec::disable)
				.authorizeExchange((all) -> all.anyExchange().permitAll())
				.build();
		}

		@PostMapping("/test")
		Success post(@RequestBody Thing thing) {
			return Success.of("thing", new ThingView(thing.someText(), Instant.parse("2030-01-02T03:04:05.600Z")));
		}

		@GetMapping("/test/fault")
		Mono<Success> fault() {
			return Mono.error(new IllegalStateException("a secret"));
		}

		@GetMapping("/test/refused")
		Mono<Success> refused() {
			return Mono
				.error(Refusal.limited("Rate limit exceeded").because("because").retryAfter(Duration.ofSeconds(7)));
		}

		@GetMapping("/test/things/{id}")
		Mono<Success> thing(@PathVariable UUID id) {
			return id.equals(new UUID(0, 0)) ? Mono.error(Refusal.notFound("Thing not found").because("none has it"))
					: Mono.just(Success.data(Map.of()));
		}

		@GetMapping("/test/list")
		Success list(@PageSize(defaultLimit = 5, maxLimit = 10) Page.Request page) {
			return Success.list("things", new Page<>(List.of("a"), page, 7));
		}

	}

	record Thing(@Nullable String someText, @Nullable Integer count, @Nullable Boolean flag,
			@Nullable List<String> list) {
	}

	record ThingView(@Nullable String someText, Instant at) {
	}

}

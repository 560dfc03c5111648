package dev.mailroom.api.security;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

import dev.mailroom.api.ApiTest;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;

import static org.assertj.core.api.Assertions.assertThat;

/** Every route there is, whoever wrote it, with every kind of credential. */
@ApiTest
class RoutesTest {

	private static final Set<String> OPEN = Set.of("POST /api/auth/register", "POST /api/auth/verify-email",
			"POST /api/auth/verify-email/resend", "POST /api/auth/login", "POST /api/auth/refresh",
			"POST /api/auth/logout", "POST /api/auth/password/forgot", "POST /api/auth/password/reset");

	private static final List<String> OUTSIDE = List.of("/.well-known/jwks.json", "/openapi", "/docs", "/t/", "/u/");

	private static final Set<String> KEYS_ONLY = Set.of("POST /api/emails", "POST /api/emails/batch");

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	@Autowired
	@Qualifier("requestMappingHandlerMapping")
	RequestMappingHandlerMapping mapping;

	private Client client;

	@BeforeEach
	void connect() {
		this.client = new Client(this.port);
	}

	@Test
	void noRouteOfAnAccountOpensWithoutACredentialOrWithABadOne() {
		for (String route : guarded()) {
			TokenTest.unauthorized(this.client.web().method(method(route)).uri(path(route)).exchange());
			for (String bad : List.of("garbage", "a.b.c", "ek_aaaaaaaaaaaa_" + "a".repeat(49))) {
				TokenTest.unauthorized(this.client.call(method(route), bad, path(route)));
			}
		}
	}

	@Test
	void openRoutesDoNotEvenLookAtACredential() {
		for (String route : routes()) {
			if (OPEN.contains(route)) {
				assertThat(status(this.client.call(method(route), "garbage", path(route)))).as(route).isEqualTo(400);
			}
		}
	}

	@Test
	void whatStandsAtTheRootIsMeantToBePublic() {
		assertThat(routes()).filteredOn((route) -> !path(route).startsWith("/api/"))
			.allMatch((route) -> OUTSIDE.stream().anyMatch(path(route)::startsWith));
	}

	@Test
	void aPersonMayDoEverythingButSend() {
		String token = Person.in(this.context).token();
		for (String route : guarded()) {
			int status = status(this.client.call(method(route), token, path(route)));
			if (KEYS_ONLY.contains(route)) {
				assertThat(status).as(route).isEqualTo(403);
			}
			else {
				assertThat(status).as(route).isNotIn(401, 403, 500);
			}
		}
	}

	@Test
	void whoMayNotIsToldSoInTheContractsWords() {
		this.client.send(HttpMethod.POST, Person.in(this.context).token(), "/api/emails", "{}")
			.expectStatus()
			.isForbidden()
			.expectBody()
			.jsonPath("$.error")
			.isEqualTo("Forbidden")
			.jsonPath("$.name")
			.isEqualTo("forbidden");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/api/nowhere", "/api/auth/nowhere", "/api/auth/login/", "/api/%61uth/nowhere", "/api" })
	void anUnknownRouteNeedsACredentialBeforeItIsNotFound(String path) {
		TokenTest.unauthorized(this.client.web().get().uri(path).exchange());
		this.client.get(Person.in(this.context).token(), path)
			.expectStatus()
			.isNotFound()
			.expectBody()
			.jsonPath("$.error")
			.isEqualTo("Not found");
	}

	@Test
	void nothingIsFoundOutsideAndOddPathsAreAnsweredInTheSameBody() {
		this.client.web().get().uri("/nowhere").exchange().expectStatus().isNotFound();
		TokenTest.unauthorized(this.client.web().get().uri("/api;x=1/auth/me").exchange());
		for (String path : List.of("/api//auth/me", "/api/auth/%00", "/api/..%2f..%2fauth%2fme")) {
			WebTestClient.ResponseSpec answer = this.client.web()
				.get()
				.uri(URI.create("http://localhost:" + this.port + path))
				.exchange();
			answer.expectStatus().is4xxClientError().expectBody().jsonPath("$.success").isEqualTo(false);
		}
	}

	private List<String> guarded() {
		return routes().stream()
			.filter((route) -> path(route).startsWith("/api/"))
			.filter((route) -> !OPEN.contains(route))
			.toList();
	}

	private List<String> routes() {
		Set<String> routes = new TreeSet<>();
		this.mapping.getHandlerMethods()
			.keySet()
			.forEach((info) -> info.getPatternsCondition()
				.getPatterns()
				.forEach((pattern) -> info.getMethodsCondition()
					.getMethods()
					.forEach((method) -> routes.add(method + " " + pattern.getPatternString()))));
		assertThat(routes).contains("GET /api/auth/me", "POST /api/auth/login", "POST /api/emails");
		return new ArrayList<>(routes);
	}

	private static HttpMethod method(String route) {
		return HttpMethod.valueOf(route.substring(0, route.indexOf(' ')));
	}

	private static String path(String route) {
		return route.substring(route.indexOf(' ') + 1).replaceAll("\\{[^}]*}", UUID.randomUUID().toString());
	}

	private static int status(WebTestClient.ResponseSpec answer) {
		return answer.expectBody().returnResult().getStatus().value();
	}

}

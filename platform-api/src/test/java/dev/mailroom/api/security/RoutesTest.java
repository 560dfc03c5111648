package dev.mailroom.api.security;

import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

import dev.mailroom.Scope;
import dev.mailroom.account.Caller;
import dev.mailroom.account.MemberRole;
import dev.mailroom.account.Permission;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import dev.mailroom.api.docs.Contract;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.PathContainer;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

/** Requests to paths that are not routes. */
@WithApi
class RoutesTest {

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	@Autowired
	Client client;

	@ParameterizedTest
	@ValueSource(strings = { "/api/nowhere", "/api/auth/nowhere", "/api/auth/login/", "/api/%61uth/nowhere", "/api" })
	void unknownRoutesRequireACredential(String path) {
		TokenTest.unauthorized(this.client.web().get().uri(path).exchange());
		this.client.get(Person.in(this.context).token(), path)
			.expectStatus()
			.isNotFound()
			.expectBody()
			.jsonPath("$.error")
			.isEqualTo("Not found");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/api/emails/logs?domain_id=abc", "/api/inbound?domain_id=abc",
			"/api/analytics/reputation-metrics?domainId=abc", "/api/analytics/reputation?domain_id=abc" })
	void aMalformedIdInAFilterIsRefused(String path) {
		this.client.get(Person.in(this.context).token(), path)
			.expectStatus()
			.isBadRequest()
			.expectBody()
			.jsonPath("$.error")
			.isEqualTo("Invalid request data")
			.jsonPath("$.details[0].field")
			.isEqualTo(path.contains("domainId") ? "domainId" : "domain_id");
	}

	@Test
	void theRulesAreThoseOfTheDocument() {
		for (Contract.Operation operation : Contract.written().operations()) {
			HttpMethod method = HttpMethod.valueOf(operation.method());
			PathContainer path = PathContainer.parsePath(operation.path());
			assertThat(credential(method, path)).as("%s", operation).isEqualTo(operation.credential());
			Permission permission = Routes.permission(method, path);
			assertThat((permission != null) ? permission.contractName() : "none").as("%s", operation)
				.isEqualTo(operation.permission().replace("any", "none"));
		}
		assertThat(AccountKeys.PERMISSIONS)
			.containsExactlyElementsOf(Stream.of(Permission.values()).map(Permission::contractName).toList());
	}

	/** The callers that a route permits, in the words of the document. */
	private static String credential(HttpMethod method, PathContainer path) {
		if (Routes.isOpen(method, path)) {
			return "none";
		}
		boolean person = permits(Caller.Kind.PERSON, null, method, path);
		if (permits(Caller.Kind.API_KEY, UUID.randomUUID(), method, path)) {
			return person ? "either" : "key";
		}
		return permits(Caller.Kind.API_KEY, null, method, path) ? "account" : "jwt";
	}

	/** Whether an owner, or a key with all permissions, may use a route. */
	private static boolean permits(Caller.Kind kind, @Nullable UUID domain, HttpMethod method, PathContainer path) {
		UUID account = UUID.randomUUID();
		Scope scope = new Scope(account, domain, (kind == Caller.Kind.API_KEY) ? UUID.randomUUID() : null, null, false);
		return Routes.permits(new Caller(scope, kind, Caller.Role.TENANT, MemberRole.OWNER, null,
				Set.copyOf(AccountKeys.PERMISSIONS)), method, path);
	}

	@Test
	void unknownPathsOutsideTheApiAndOddPathsHaveTheErrorFormat() {
		this.client.web().get().uri("/nowhere").exchange().expectStatus().isNotFound();
		WebTestClient.bindToServer()
			.baseUrl("http://localhost:" + this.port)
			.build()
			.get()
			.uri("/api;x=1/auth/me")
			.exchange()
			.expectStatus()
			.isNotFound();
		for (String path : List.of("/api//auth/me", "/api/auth/%00", "/api/..%2f..%2fauth%2fme")) {
			WebTestClient.ResponseSpec response = this.client.web()
				.get()
				.uri(URI.create("http://localhost:" + this.port + path))
				.exchange();
			response.expectStatus().is4xxClientError().expectBody().jsonPath("$.success").isEqualTo(false);
		}
	}

}

package dev.mailroom.api.account;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.jayway.jsonpath.JsonPath;
import dev.mailroom.Scope;
import dev.mailroom.account.AccessTokens;
import dev.mailroom.account.AuthenticatorApp;
import dev.mailroom.account.Sessions;
import dev.mailroom.account.SignInSession;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import dev.mailroom.api.docs.Ask;
import dev.mailroom.api.docs.Contract;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.reactive.server.WebTestClient;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

@WithApi
class SecondFactorRoutesTest {

	private static final Set<String> WHILE_ENROLLING = Set.of("GET /api/auth/me", "POST /api/auth/totp",
			"POST /api/auth/totp/confirm");

	@Autowired
	ApplicationContext context;

	@Autowired
	Client client;

	@Autowired
	Person person;

	@Test
	void aSecondFactorIsSetUpUsedAndRemoved() {
		String begun = body(send(HttpMethod.POST, "/api/auth/totp", "{}"));
		assertThat(JsonPath.<String>read(begun, "$.data.otpauth_url"))
			.contains("secret=" + JsonPath.read(begun, "$.data.secret"));
		AuthenticatorApp app = AuthenticatorApp.of(JsonPath.read(begun, "$.data.secret"));
		send(HttpMethod.POST, "/api/auth/totp/confirm", "{\"code\":\"x\"}").expectStatus()
			.isBadRequest()
			.expectBody()
			.jsonPath("$.details[0].field")
			.isEqualTo("code");
		String confirmed = body(send(HttpMethod.POST, "/api/auth/totp/confirm",
				"{\"code\":\"%s\"}".formatted(app.code(Instant.now()))));
		List<String> codes = JsonPath.read(confirmed, "$.data.recovery_codes");
		assertThat(codes).hasSize(10).allMatch((code) -> code.matches("[a-z2-7]{4}(-[a-z2-7]{4}){3}"));
		send(HttpMethod.POST, "/api/auth/totp", "{}").expectStatus()
			.isEqualTo(409)
			.expectBody()
			.jsonPath("$.error")
			.isEqualTo("Second factor active");
		String challenge = challenge();
		complete(challenge, "000000x").expectStatus().isUnauthorized();
		complete(challenge, codes.getFirst()).expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.data.access_token")
			.exists();
		complete(challenge, codes.getLast()).expectStatus()
			.isBadRequest()
			.expectBody()
			.jsonPath("$.details[0].field")
			.isEqualTo("challenge");
		send(HttpMethod.DELETE, "/api/auth/totp", "{\"password\":\"incorrect\"}").expectStatus().isBadRequest();
		send(HttpMethod.DELETE, "/api/auth/totp", "{\"password\":\"" + Person.PASSWORD + "\"}").expectStatus().isOk();
		login().expectStatus().isOk();
	}

	@Test
	void aTokenForTheSettingUpPermitsNothingElse() {
		SignInSession session = await(this.context.getBean(Sessions.class).start(Scope.of(this.person.account())));
		String token = await(this.context.getBean(AccessTokens.class).issue(session, AccessTokens.Grant.ENROLMENT, ""))
			.text();
		this.client.get(token, "/api/auth/me").expectStatus().isOk();
		this.client.send(HttpMethod.POST, token, "/api/auth/totp", "{}").expectStatus().isOk();
		for (Contract.Operation operation : Contract.written().operations()) {
			if (!operation.credential().equals("none") && !WHILE_ENROLLING.contains(operation.toString())) {
				Ask.of(operation)
					.by(this.client, token)
					.expectStatus()
					.isForbidden()
					.expectBody()
					.jsonPath("$.message")
					.value((String message) -> assertThat(message).as("%s", operation).contains("POST /auth/totp"));
			}
		}
	}

	@Test
	void aPersonListsAndEndsTheirSessions() {
		String other = body(login());
		String sessions = body(this.client.get(this.person.token(), "/api/auth/sessions"));
		assertThat(JsonPath.<List<Object>>read(sessions, "$.data.sessions")).hasSize(2);
		assertThat(JsonPath.<Map<String, Object>>read(sessions, "$.data.sessions[0]")).containsOnlyKeys("id",
				"created_at", "expires_at");
		String id = JsonPath.read(sessions, "$.data.sessions[0].id");
		this.client.call(HttpMethod.DELETE, this.person.token(), "/api/auth/sessions/" + id).expectStatus().isOk();
		this.client.call(HttpMethod.DELETE, this.person.token(), "/api/auth/sessions/" + id)
			.expectStatus()
			.isNotFound();
		this.client.get(JsonPath.read(other, "$.data.access_token"), "/api/auth/me").expectStatus().isUnauthorized();
	}

	private String challenge() {
		byte[] response = login().expectStatus()
			.isUnauthorized()
			.expectBody()
			.jsonPath("$.error")
			.isEqualTo("Second factor required")
			.returnResult()
			.getResponseBody();
		return JsonPath.read(new String(response, StandardCharsets.UTF_8), "$.challenge");
	}

	private WebTestClient.ResponseSpec login() {
		return this.client.post("/api/auth/login",
				"{\"email\":\"%s\",\"password\":\"%s\"}".formatted(this.person.email(), Person.PASSWORD));
	}

	private WebTestClient.ResponseSpec complete(String challenge, String code) {
		return this.client.post("/api/auth/login/totp",
				"{\"challenge\":\"%s\",\"code\":\"%s\"}".formatted(challenge, code));
	}

	private WebTestClient.ResponseSpec send(HttpMethod method, String path, String json) {
		return this.client.send(method, this.person.token(), path, json);
	}

	private static String body(WebTestClient.ResponseSpec response) {
		return new String(response.expectStatus().isOk().expectBody().returnResult().getResponseBody(),
				StandardCharsets.UTF_8);
	}

}

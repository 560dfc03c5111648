package dev.mailroom.api.account;

import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

@WithApi
class SignInRoutesTest {

	@Autowired
	Client client;

	@Autowired
	Person person;

	@Test
	void signingInReturnsTokensThatMustNotBeCached() {
		login(Person.PASSWORD).expectStatus()
			.isOk()
			.expectHeader()
			.valueEquals("Cache-Control", "no-store")
			.expectBody()
			.jsonPath("$.success")
			.isEqualTo(true)
			.jsonPath("$.data.access_token")
			.isNotEmpty()
			.jsonPath("$.data.token_type")
			.isEqualTo("Bearer")
			.jsonPath("$.data.expires_in")
			.isEqualTo(900)
			.jsonPath("$.data.refresh_token")
			.isNotEmpty()
			.jsonPath("$.data.user.email")
			.isEqualTo(this.person.email());
	}

	@Test
	void signingInIsRefusedAfterTenFailuresIn15Minutes() {
		for (int i = 0; i < 10; i++) {
			login("incorrect horse").expectStatus()
				.isUnauthorized()
				.expectBody()
				.jsonPath("$.error")
				.isEqualTo("Unauthorized");
		}
		login(Person.PASSWORD).expectStatus()
			.isEqualTo(429)
			.expectHeader()
			.value("Retry-After", (seconds) -> assertThat(Integer.parseInt(seconds)).isBetween(840, 900))
			.expectBody()
			.jsonPath("$.error")
			.isEqualTo("Rate limit exceeded");
	}

	@Test
	void aRefreshTokenIsValidOnceAndItsReuseEndsTheSession() {
		String next = field(refresh(this.person.refreshToken()).expectStatus().isOk(), "refresh_token");
		refresh(this.person.refreshToken()).expectStatus()
			.isUnauthorized()
			.expectHeader()
			.valueEquals("WWW-Authenticate", "Bearer");
		refresh(next).expectStatus().isUnauthorized();
		this.client.get(this.person.token(), "/api/auth/me").expectStatus().isUnauthorized();
	}

	@Test
	void signingOutInvalidatesTheTokensImmediately() {
		String body = "{\"refreshToken\":\"" + this.person.refreshToken() + "\"}";
		this.client.post("/api/auth/logout", body).expectStatus().isOk();
		this.client.get(this.person.token(), "/api/auth/me").expectStatus().isUnauthorized();
		refresh(this.person.refreshToken()).expectStatus().isUnauthorized();
		this.client.post("/api/auth/logout", body).expectStatus().isOk();
	}

	@Test
	void meReturnsTheCallersAccount() {
		this.client.get(this.person.token(), "/api/auth/me")
			.expectStatus()
			.isOk()
			.expectHeader()
			.valueEquals("Cache-Control", "no-store")
			.expectBody()
			.jsonPath("$.data.user.length()")
			.isEqualTo(6)
			.jsonPath("$.data.user.id")
			.isEqualTo(this.person.account().toString())
			.jsonPath("$.data.user.name")
			.isEqualTo("Ann")
			.jsonPath("$.data.user.email_verified")
			.isEqualTo(true)
			.jsonPath("$.data.user.plan")
			.isEqualTo("free")
			.jsonPath("$.data.user.created_at")
			.value((String at) -> assertThat(at).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z"));
	}

	@Test
	void theNameAndThePasswordCanBeChanged() {
		patch("{\"name\":\"Bea\"}").expectStatus().isOk().expectBody().jsonPath("$.data.user.name").isEqualTo("Bea");
		patch("{\"current_password\":\"wrong\",\"password\":\"staple correct horse\"}").expectStatus()
			.isBadRequest()
			.expectBody()
			.jsonPath("$.details[0].field")
			.isEqualTo("current_password");
		patch("{\"currentPassword\":\"" + Person.PASSWORD + "\",\"newPassword\":\"staple correct horse\"}")
			.expectStatus()
			.isOk();
		this.client.get(this.person.token(), "/api/auth/me").expectStatus().isUnauthorized();
		login("staple correct horse").expectStatus().isOk();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "login|{}|email", "login|{\"email\":1,\"password\":\"x\"}|email",
					"login|{\"email\":\"nobody\",\"password\":\"x\"}|email", "login|{\"email\":\"a@b.test\"}|password",
					"login|{\"email\":\"a@b.test\",\"password\":7}|password", "refresh|{}|refresh_token",
					"refresh|{\"refresh_token\":{}}|refresh_token", "logout|{}|refresh_token" })
	void invalidFieldsAreReported(String route, String body, String field) {
		this.client.post("/api/auth/" + route, body)
			.expectStatus()
			.isBadRequest()
			.expectBody()
			.jsonPath("$.error")
			.isEqualTo("Invalid request data")
			.jsonPath("$.details[0].field")
			.isEqualTo(field);
	}

	@Test
	void theJwkSetHasPublicKeysOnly() {
		this.client.web()
			.get()
			.uri("/.well-known/jwks.json")
			.exchange()
			.expectStatus()
			.isOk()
			.expectHeader()
			.valueEquals("Cache-Control", "max-age=300, public")
			.expectBody()
			.jsonPath("$.keys[0].kty")
			.isEqualTo("EC")
			.jsonPath("$.keys[0].crv")
			.isEqualTo("P-256")
			.jsonPath("$.keys[0].alg")
			.isEqualTo("ES256")
			.jsonPath("$.keys[0].kid")
			.isNotEmpty()
			.jsonPath("$.keys[0].d")
			.doesNotExist();
	}

	private WebTestClient.ResponseSpec login(String password) {
		return this.client.post("/api/auth/login",
				"{\"email\":\"" + this.person.email() + "\",\"password\":\"" + password + "\"}");
	}

	private WebTestClient.ResponseSpec refresh(String token) {
		return this.client.post("/api/auth/refresh", "{\"refresh_token\":\"" + token + "\"}");
	}

	private WebTestClient.ResponseSpec patch(String body) {
		return this.client.send(HttpMethod.PATCH, this.person.token(), "/api/auth/me", body);
	}

	private static String field(WebTestClient.ResponseSpec response, String name) {
		String[] result = new String[1];
		response.expectBody().jsonPath("$.data." + name).value((String value) -> result[0] = value);
		return result[0];
	}

}

package dev.mailroom.api.security;

import dev.mailroom.account.Forge;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import dev.mailroom.secret.Seal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpHeaders;
import org.springframework.test.web.reactive.server.WebTestClient;

@WithApi
class TokenTest {

	private static final String ROUTE = "/api/auth/me";

	@Autowired
	ApplicationContext context;

	@Autowired
	Seal seal;

	@Autowired
	Client client;

	private Forge forge;

	@BeforeEach
	void signIn() {
		this.forge = new Forge(this.seal, Person.in(this.context).token());
	}

	@Test
	void aValidTokenIsAccepted() {
		this.client.get(this.forge.claim("scope", "account"), ROUTE).expectStatus().isOk();
	}

	@Test
	void anExpiredTokenIsRejected() {
		unauthorized(this.client.get(this.forge.expired(45), ROUTE));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "Bearer", "Bearer ", "Bearer a b", "Bearer \"", "Basic YTpi", "bearer nonsense",
			"Bearer ek_aaaaaaaaaaaa_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "Token x" })
	void malformedCredentialsAreRejected(String header) {
		unauthorized(this.client.web().get().uri(ROUTE).header(HttpHeaders.AUTHORIZATION, header).exchange());
	}

	@Test
	void aTokenInTheQueryIsIgnored() {
		String token = this.forge.claim("scope", "account");
		unauthorized(this.client.web().get().uri(ROUTE + "?access_token=" + token).exchange());
	}

	static void unauthorized(WebTestClient.ResponseSpec response) {
		response.expectStatus()
			.isUnauthorized()
			.expectHeader()
			.valueEquals("WWW-Authenticate", "Bearer")
			.expectHeader()
			.exists("X-Request-Id")
			.expectBody()
			.jsonPath("$.success")
			.isEqualTo(false)
			.jsonPath("$.error")
			.isEqualTo("Unauthorized")
			.jsonPath("$.name")
			.isEqualTo("unauthorized")
			.jsonPath("$.statusCode")
			.isEqualTo(401)
			.jsonPath("$.message")
			.isEqualTo("Send a valid access token or API key as Authorization: Bearer <token>.");
	}

}

package dev.mailroom.api.account;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests that name an address have the same response for one with an account and for an
 * unknown one, and so have the requests that follow a registration of it.
 */
@WithApi
class AccountEnumerationTest {

	/** Responses that send a mail take this time whether or not they do. */
	private static final Duration MIN_DURATION = Duration.ofMillis(300);

	private static final String FIRST = "correct horse staple";

	private static final String SECOND = "staple correct horse";

	private static final String THIRD = "battery staple horse";

	@Autowired
	ApplicationContext context;

	@Autowired
	Client client;

	@Autowired
	Person caller;

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "/api/auth/login | {\"email\":\"%s\",\"password\":\"an incorrect password\"}",
			"/api/auth/register | {\"email\":\"%s\",\"password\":\"an incorrect password\",\"name\":\"Eve\"}",
			"/api/auth/password/forgot | {\"email\":\"%s\"}", "/api/auth/verify-email/resend | {\"email\":\"%s\"}",
			"/api/team/invitations | {\"email\":\"%s\",\"role\":\"viewer\"}" })
	void aKnownAndAnUnknownAddressHaveTheSameResponse(String path, String body) {
		String known = Person.in(this.context).email();
		String unknown = UUID.randomUUID() + "@person.test";
		assertThat(signature(path, body, known)).isEqualTo(signature(path, body, unknown));
		assertThat(signature(path, body, known)).as("also the second time").isEqualTo(signature(path, body, unknown));
	}

	@ParameterizedTest
	@ValueSource(strings = { "email_verified_at = null", "name = 'Bob'", "role = 'operator'", "role = 'member'",
			"password_hash = null" })
	void aRegistrationAndTheCallsAfterItHaveTheSameResponsesForAKnownAndAnUnknownAddress(String owned) {
		Person owner = Person.in(this.context);
		Given.run("update account set %s where id = '%s'", owned, owner.account());
		assertThat(journey(owner.email())).isEqualTo(journey(UUID.randomUUID() + "@person.test"));
		if (!owned.startsWith("password_hash")) {
			assertThat(signIn(owner.email(), Person.PASSWORD).account()).isEqualTo(owner.account().toString());
		}
	}

	@Test
	void aRegistrationWithThePasswordOfTheOwnerSignsInToTheOwnersAccount() {
		Person owner = Person.in(this.context);
		post("/api/auth/register", credentials(owner.email(), Person.PASSWORD));
		Session session = signIn(owner.email(), Person.PASSWORD);
		assertThat(session.account()).isEqualTo(owner.account().toString());
		assertThat(session.signature()).contains("\"email_verified\":true");
	}

	/** The responses to a person who registers an address and tries everything. */
	private List<String> journey(String address) {
		List<String> seen = new ArrayList<>();
		seen.add(post("/api/auth/register", credentials(address, FIRST)));
		Session first = signIn(address, FIRST);
		seen.add(first.signature());
		seen.add(send(HttpMethod.GET, first.token(), "/api/auth/me", ""));
		seen.add(post("/api/auth/refresh", "{\"refresh_token\":\"" + first.refreshToken() + "\"}"));
		seen.add(post("/api/auth/register", credentials(address, SECOND)));
		Session second = signIn(address, SECOND);
		seen.add(second.signature());
		assertThat(second.account()).isNotEqualTo(first.account());
		seen.add(post("/api/auth/register", credentials(address, FIRST)));
		Session again = signIn(address, FIRST);
		seen.add(again.signature());
		assertThat(again.account()).isEqualTo(first.account());
		seen.add(post("/api/auth/login", credentials(address, "an incorrect password")));
		seen.add(post("/api/auth/verify-email/resend", "{\"email\":\"" + address + "\"}"));
		seen.add(post("/api/auth/password/forgot", "{\"email\":\"" + address + "\"}"));
		for (Session session : List.of(again, second)) {
			seen.add(send(HttpMethod.POST, session.token(), "/api/emails",
					"{\"from\":\"a@b.test\",\"to\":\"c@d.test\",\"subject\":\"Hello\",\"text\":\"Hello\"}"));
			seen.add(send(HttpMethod.GET, session.token(), "/api/team/members", ""));
			seen.add(send(HttpMethod.POST, session.token(), "/api/team/invitations",
					"{\"email\":\"" + address + "\",\"role\":\"viewer\"}"));
			seen.add(send(HttpMethod.PATCH, session.token(), "/api/auth/me",
					"{\"current_password\":\"not it\",\"password\":\"" + THIRD + "\"}"));
			seen.add(send(HttpMethod.POST, session.token(), "/api/auth/totp", ""));
			seen.add(send(HttpMethod.GET, session.token(), "/api/auth/sessions", ""));
		}
		seen.add(send(HttpMethod.PATCH, second.token(), "/api/auth/me",
				"{\"current_password\":\"" + SECOND + "\",\"password\":\"" + THIRD + "\"}"));
		seen.add(send(HttpMethod.GET, second.token(), "/api/auth/me", ""));
		seen.add(post("/api/auth/login", credentials(address, SECOND)));
		assertThat(signIn(address, THIRD).account()).isEqualTo(second.account());
		return seen.stream().map((response) -> response.replace(address, "VALUE")).toList();
	}

	private Session signIn(String address, String password) {
		EntityExchangeResult<String> result = exchange(
				this.client.post("/api/auth/login", credentials(address, password)));
		JsonNode data = JsonMapper.shared().readTree(result.getResponseBody()).path("data");
		return new Session(signature(result), data.path("user").path("id").asString(),
				data.path("access_token").asString(), data.path("refresh_token").asString());
	}

	private static String credentials(String address, String password) {
		return "{\"email\":\"" + address + "\",\"password\":\"" + password + "\"}";
	}

	private String post(String path, String body) {
		return signature(exchange(this.client.post(path, body)));
	}

	private String send(HttpMethod method, String token, String path, String body) {
		return signature(exchange(this.client.send(method, token, path, body)));
	}

	private static EntityExchangeResult<String> exchange(WebTestClient.ResponseSpec response) {
		return response.expectBody(String.class).returnResult();
	}

	private String signature(String path, String body, String value) {
		long begin = System.nanoTime();
		EntityExchangeResult<String> result = exchange(
				this.client.send(HttpMethod.POST, this.caller.token(), path, body.formatted(value)));
		if (path.contains("register") || path.contains("forgot") || path.contains("resend")) {
			assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(MIN_DURATION);
		}
		return signature(result).replace(value, "VALUE");
	}

	/** Status, names of headers, and body without the values that always differ. */
	private static String signature(EntityExchangeResult<String> result) {
		return result.getStatus() + " " + new TreeSet<>(result.getResponseHeaders().headerNames()) + " "
				+ String.valueOf(result.getResponseBody())
					.replaceAll("\"(id|[a-z]+_at|request_id|[a-z]+_token|secret|otpauth_url)\":\"[^\"]+\"", "$1");
	}

	/** The response to a sign-in. */
	private record Session(String signature, String account, String token, String refreshToken) {
	}

}

package dev.mailroom.admin.account;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

import dev.mailroom.ClientNetwork;
import dev.mailroom.Given;
import dev.mailroom.account.AccountNotice;
import dev.mailroom.account.Applicant;
import dev.mailroom.account.Registration;
import dev.mailroom.account.Secret;
import dev.mailroom.admin.GraphQl;
import dev.mailroom.admin.Person;
import dev.mailroom.admin.WithAdmin;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseCookie;
import org.springframework.test.web.reactive.server.EntityExchangeResult;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

@WithAdmin
class SignInTest {

	private static final String COOKIE = "__Host-mailroom_refresh";

	private static final String REFRESH = "mutation { refresh { accessToken expiresIn account { id } userErrors { name } } }";

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	GraphQl web;

	@BeforeEach
	void client() {
		this.web = GraphQl.at(this.port);
	}

	@Test
	void signingInSetsACookieThatScriptsCannotReadAndReturnsAnAccessToken() {
		Person person = Person.in(this.context);
		EntityExchangeResult<byte[]> signedIn = signIn(person.email(), Person.PASSWORD);
		ResponseCookie cookie = signedIn.getResponseCookies().getFirst(COOKIE);
		assertThat(cookie.isHttpOnly()).isTrue();
		assertThat(cookie.isSecure()).isTrue();
		assertThat(cookie.getSameSite()).isEqualTo("Strict");
		assertThat(cookie.getPath()).isEqualTo("/");
		assertThat(cookie.getDomain()).isNull();
		assertThat(new String(signedIn.getResponseBody(), StandardCharsets.UTF_8)).doesNotContain(cookie.getValue());
		JsonNode session = json(signedIn).path("data").path("signIn");
		assertThat(session.path("expiresIn").asLong()).isEqualTo(900);
		assertThat(this.web.as(session.path("accessToken").asString())
			.data("{ viewer { account { id email } usage { plan daily { used } } } }")
			.path("viewer")
			.path("account")
			.path("id")
			.asString()).isEqualTo(person.account().toString());
	}

	@Test
	void failuresOfSigningInAreLimitedByTheClientsNetwork() {
		String address = UUID.randomUUID() + "@owner.test";
		String sprayer = "2001:db8:" + Integer.toHexString(ThreadLocalRandom.current().nextInt(1, 60_000)) + "::1";
		for (int i = 0; i < 10; i++) {
			assertThat(failure(address, sprayer)).contains("\"unauthorized\"");
		}
		assertThat(failure(address, sprayer)).contains("\"rate_limit_exceeded\"");
		assertThat(failure(address, "203.0.113.7")).contains("\"unauthorized\"");
		Given.run("update throttle set times = array_fill(now(), array[50]) where kind = 'sign_in_network' "
				+ "and key = sha256('%s')", network(sprayer));
		assertThat(failure("other-" + address, sprayer)).contains("\"rate_limit_exceeded\"");
	}

	/** The response to a sign-in with a wrong password through a proxy. */
	private String failure(String address, String client) {
		return this.web.web()
			.post()
			.uri("/graphql")
			.contentType(MediaType.APPLICATION_JSON)
			.header("X-Forwarded-For", client)
			.bodyValue(
					GraphQl.body("mutation($i: SignInInput!) { signIn(input: $i) { accessToken userErrors { name } } }",
							Map.of("i", Map.of("email", address, "password", "incorrect horse"))))
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody(String.class)
			.returnResult()
			.getResponseBody();
	}

	private static String network(String client) {
		return ClientNetwork.text(InetAddress.ofLiteral(client));
	}

	@Test
	void aRefreshReplacesTheCookieAndAUsedOneEndsTheSession() {
		Person person = Person.in(this.context);
		String first = signIn(person.email(), Person.PASSWORD).getResponseCookies().getFirst(COOKIE).getValue();
		EntityExchangeResult<byte[]> refreshed = withCookie(REFRESH, first);
		String second = refreshed.getResponseCookies().getFirst(COOKIE).getValue();
		assertThat(second).isNotEqualTo(first);
		String token = json(refreshed).path("data").path("refresh").path("accessToken").asString();
		assertThat(this.web.as(token).data("{ viewer { account { id } } }").path("viewer").isNull()).isFalse();
		EntityExchangeResult<byte[]> reused = withCookie(REFRESH, first);
		assertThat(json(reused).path("errors").path(0).path("extensions").path("name").asString())
			.isEqualTo("unauthorized");
		assertThat(reused.getResponseCookies().getFirst(COOKIE).getMaxAge()).isZero();
		assertThat(json(withCookie(REFRESH, second)).path("errors").size()).isEqualTo(1);
		this.web.as(token).post(GraphQl.body("{ __typename }", Map.of())).expectStatus().isUnauthorized();
	}

	@Test
	void withoutACookieThereIsNothingToRefresh() {
		assertThat(this.web.error(REFRESH).path("statusCode").asInt()).isEqualTo(401);
	}

	@Test
	void signingOutEndsTheSessionAndDeletesTheCookie() {
		Person person = Person.in(this.context);
		String cookie = signIn(person.email(), Person.PASSWORD).getResponseCookies().getFirst(COOKIE).getValue();
		EntityExchangeResult<byte[]> out = withCookie("mutation { signOut { done userErrors { name } } }", cookie);
		assertThat(json(out).path("data").path("signOut").path("done").asBoolean()).isTrue();
		assertThat(out.getResponseCookies().getFirst(COOKIE).getMaxAge()).isZero();
		assertThat(json(withCookie(REFRESH, cookie)).path("errors").size()).isEqualTo(1);
	}

	@Test
	void aWrongPasswordIsUnauthorizedAndSetsNoCookie() {
		Person person = Person.in(this.context);
		EntityExchangeResult<byte[]> refused = signIn(person.email(), "wrong horse battery");
		assertThat(json(refused).path("errors").path(0).path("extensions").path("error").asString())
			.isEqualTo("Unauthorized");
		assertThat(refused.getResponseCookies()).doesNotContainKey(COOKIE);
	}

	@Test
	void signingUpLooksTheSameForAnAddressThatHasAnAccount() {
		Person person = Person.in(this.context);
		for (String address : new String[] { person.email(), "new-" + person.email() }) {
			for (String password : new String[] { "staple correct horse", "battery staple horse" }) {
				JsonNode account = this.web
					.change("signUp", "(input: { email: \"%s\", password: \"%s\" })".formatted(address, password),
							"account { id email emailVerified plan }")
					.path("account");
				assertThat(account.path("email").asString()).isEqualTo(address);
				assertThat(account.path("emailVerified").asBoolean()).isFalse();
				assertThat(viewer(address, password)).as("also after a sign-in").isEqualTo(account);
				assertThat(
						this.web.change("resendVerification", "(input: { email: \"%s\" })".formatted(address), "done")
							.path("done")
							.asBoolean())
					.isTrue();
			}
		}
		assertThat(viewer(person.email(), Person.PASSWORD).path("id").asString())
			.isEqualTo(person.account().toString());
	}

	private JsonNode viewer(String email, String password) {
		String token = json(signIn(email, password)).path("data").path("signIn").path("accessToken").asString();
		return this.web.as(token)
			.data("{ viewer { account { id email emailVerified plan } } }")
			.path("viewer")
			.path("account");
	}

	@Test
	void invalidFieldsAreUserErrorsWithTheContractsName() {
		JsonNode errors = this.web
			.data("mutation { signUp(input: { email: \"x\", password: \"short\" }) { userErrors { name field } } }")
			.path("signUp")
			.path("userErrors");
		assertThat(errors.toString()).isEqualTo(
				"[{\"name\":\"invalid_request_data\",\"field\":\"email\"},{\"name\":\"invalid_request_data\",\"field\":\"password\"}]");
		assertThat(this.web.userError("verifyEmail", "(input: { token: \"nothing\" })"))
			.isEqualTo("invalid_request_data");
		assertThat(this.web.userError("resetPassword",
				"(input: { token: \"nothing\", password: \"%s\" })".formatted(Person.PASSWORD)))
			.isEqualTo("invalid_request_data");
	}

	@Test
	void aLinkThatIsOpenedWithoutASessionNeedsAPassword() {
		String email = UUID.randomUUID() + "@person.test";
		Registration.Result result = await(this.context.getBean(Registration.class)
			.register(Applicant.of(email, Secret.of(Person.PASSWORD), "Ann")));
		String token = ((AccountNotice.VerifyAddress) result.notice()).token().text();
		String access = json(signIn(email, Person.PASSWORD)).path("data").path("signIn").path("accessToken").asString();
		JsonNode errors = this.web
			.data("mutation { verifyEmail(input: { token: \"%s\" }) { userErrors { field } } }".formatted(token))
			.path("verifyEmail")
			.path("userErrors");
		assertThat(errors.toString()).isEqualTo("[{\"field\":\"password\"}]");
		assertThat(this.web.as(access)
			.change("verifyEmail", "(input: { token: \"%s\" })".formatted(token), "account { emailVerified }")
			.path("account")
			.path("emailVerified")
			.asBoolean()).isTrue();
	}

	@Test
	void forgottenPasswordsLookTheSameForUnknownAddresses() {
		Person person = Person.in(this.context);
		for (String address : new String[] { person.email(), "nobody-" + person.email() }) {
			for (String mutation : new String[] { "forgotPassword", "resendVerification" }) {
				assertThat(this.web.change(mutation, "(input: { email: \"%s\" })".formatted(address), "done")
					.path("done")
					.asBoolean()).isTrue();
			}
		}
	}

	@Test
	void aPersonEndsTheirOwnSessionsOnly() {
		Person person = Person.in(this.context);
		signIn(person.email(), Person.PASSWORD);
		GraphQl client = this.web.as(person);
		JsonNode sessions = client.data("{ viewer { sessions { id createdAt expiresAt } } }")
			.path("viewer")
			.path("sessions");
		assertThat(sessions.size()).isEqualTo(2);
		String id = sessions.path(0).path("id").asString();
		assertThat(this.web.as(Person.in(this.context)).userError("endSession", "(id: \"" + id + "\")"))
			.isEqualTo("not_found");
		client.change("endSession", "(id: \"" + id + "\")", "deletedId");
		client.change("endSession", "(id: \"" + sessions.path(1).path("id").asString() + "\")", "deletedId");
		client.post(GraphQl.body("{ __typename }", Map.of())).expectStatus().isUnauthorized();
	}

	@Test
	void aSessionShowsTheDeviceThatSignedIn() {
		Person person = Person.in(this.context);
		signInFrom(person, "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0");
		signInFrom(person, "<script>alert(1)</script>");
		assertThat(this.web.as(person)
			.data("{ viewer { sessions { device } } }")
			.path("viewer")
			.path("sessions")
			.valueStream()
			.map((session) -> session.path("device").toString()))
			.containsExactly("null", "\"Firefox on Linux\"", "null");
	}

	private void signInFrom(Person person, String userAgent) {
		this.web.web()
			.post()
			.uri("/graphql")
			.contentType(MediaType.APPLICATION_JSON)
			.header("User-Agent", userAgent)
			.bodyValue(GraphQl.body("mutation { signIn(input: { email: \"" + person.email() + "\", password: \""
					+ Person.PASSWORD + "\" }) { accessToken } }", Map.of()))
			.exchange()
			.expectStatus()
			.isOk();
	}

	@Test
	void aPersonChangesNameAndPassword() {
		Person person = Person.in(this.context);
		GraphQl client = this.web.as(person);
		assertThat(client.change("updateAccount", "(input: { name: \"Bea\" })", "account { name }")
			.path("account")
			.path("name")
			.asString()).isEqualTo("Bea");
		assertThat(client.userError("updateAccount",
				"(input: { currentPassword: \"wrong horse battery\", newPassword: \"another horse battery\" })"))
			.isEqualTo("invalid_request_data");
	}

	private EntityExchangeResult<byte[]> signIn(String email, String password) {
		return this.web.post(GraphQl.body("""
				mutation($email: String!, $password: String!) {
				  signIn(input: { email: $email, password: $password }) {
				    accessToken expiresIn account { id } userErrors { name }
				  }
				}""", Map.of("email", email, "password", password))).expectBody(byte[].class).returnResult();
	}

	private EntityExchangeResult<byte[]> withCookie(String document, String cookie) {
		return this.web.web()
			.post()
			.uri("/graphql")
			.contentType(MediaType.APPLICATION_JSON)
			.cookie(COOKIE, cookie)
			.bodyValue(GraphQl.body(document, Map.of()))
			.exchange()
			.expectBody(byte[].class)
			.returnResult();
	}

	private static JsonNode json(EntityExchangeResult<byte[]> result) {
		return JsonMapper.builder().build().readTree(result.getResponseBody());
	}

}

package dev.mailroom.api.account;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.jayway.jsonpath.JsonPath;
import dev.mailroom.Given;
import dev.mailroom.account.Account;
import dev.mailroom.account.AuthenticatorApp;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import dev.mailroom.api.docs.Ask;
import dev.mailroom.api.docs.Contract;
import dev.mailroom.secret.SealedText;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

@WithApi
class TeamRoutesTest {

	private static final Pattern RESET_LINK = Pattern.compile("/reset-password\\?token=([A-Za-z0-9_-]+)");

	private static final Pattern LINK = Pattern.compile("/accept-invitation\\?token=([A-Za-z0-9_-]+)");

	/** Paths below which changes need the role admin. */
	private static final List<String> FOR_ADMINS = List.of("/api/contact-books", "/api/campaigns", "/api/suppressions",
			"/api/team");

	@Autowired
	SealedText sealed;

	private final String address = UUID.randomUUID() + "@member.test";

	@Autowired
	Client client;

	@Autowired
	Person owner;

	@Test
	void anInvitedPersonSignsInChangesRolesAndIsRemoved() {
		String invited = body(send(HttpMethod.POST, "/api/team/invitations", invitation("viewer")), 201);
		assertThat(JsonPath.<String>read(invited, "$.data.invitation.role")).isEqualTo("viewer");
		String joined = body(accept(), 201);
		String id = JsonPath.read(joined, "$.data.member.id");
		String login = body(login(), 200);
		assertThat(JsonPath.<String>read(login, "$.data.user.id")).isEqualTo(id);
		String token = JsonPath.read(login, "$.data.access_token");
		String members = body(this.client.get(token, "/api/team/members"), 200);
		assertThat(JsonPath.<List<String>>read(members, "$.data.members[*].role")).containsExactly("owner", "viewer");
		this.client.get(token, "/api/auth/me")
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.data.user.email")
			.isEqualTo(this.address);
		this.client.send(HttpMethod.POST, token, "/api/templates", "{\"name\":\"t\",\"text_content\":\"x\"}")
			.expectStatus()
			.isForbidden();
		send(HttpMethod.PATCH, "/api/team/members/" + id, "{\"role\":\"developer\"}").expectStatus().isOk();
		this.client.send(HttpMethod.POST, token, "/api/templates", "{\"name\":\"t\",\"text_content\":\"x\"}")
			.expectStatus()
			.isCreated();
		assertThat(body(this.client.get(this.owner.token(), "/api/templates"), 200)).contains("\"t\"");
		this.client.call(HttpMethod.DELETE, this.owner.token(), "/api/team/members/" + id).expectStatus().isOk();
		this.client.get(token, "/api/auth/me").expectStatus().isUnauthorized();
		login().expectStatus().isUnauthorized();
	}

	@Test
	void everyChangeNeedsTheRoleThatThePolicyNames() {
		send(HttpMethod.POST, "/api/team/invitations", invitation("viewer")).expectStatus().isCreated();
		String id = JsonPath.read(body(accept(), 201), "$.data.member.id");
		String token = JsonPath.read(body(login(), 200), "$.data.access_token");
		for (String role : List.of("viewer", "developer", "admin")) {
			send(HttpMethod.PATCH, "/api/team/members/" + id, "{\"role\":\"" + role + "\"}").expectStatus().isOk();
			for (Contract.Operation operation : Contract.written().operations()) {
				if (Set.of("jwt", "account", "either").contains(operation.credential())) {
					boolean own = operation.path().startsWith("/api/auth/");
					boolean admins = FOR_ADMINS.stream().anyMatch(operation.path()::startsWith);
					boolean permitted = operation.method().equals("GET") || own || role.equals("admin")
							|| (role.equals("developer") && !admins);
					if (own && !operation.method().equals("GET")) {
						continue;
					}
					String response = new String(
							Ask.of(operation).by(this.client, token).expectBody().returnResult().getResponseBody(),
							StandardCharsets.UTF_8);
					assertThat(response.contains("\"Forbidden\"")).as(role + " " + operation + " " + response)
						.isNotEqualTo(permitted);
				}
			}
		}
	}

	@Test
	void aRepeatedInvitationIsAnsweredAgainAndMailedOnce() {
		String first = body(inviteWithKey(), 201);
		WebTestClient.ResponseSpec second = inviteWithKey();
		second.expectHeader().valueEquals("Idempotency-Replayed", "true");
		assertThat(JsonPath.<String>read(body(second, 201), "$.data.invitation.id"))
			.isEqualTo(JsonPath.<String>read(first, "$.data.invitation.id"));
		assertThat(Given.rows("select id from email where account_id = '%s' and to_emails = '{%s}'", Account.PLATFORM,
				this.address))
			.hasSize(1);
	}

	/** A stranger registers somebody's address and prepares to share the account. */
	@Test
	void aStrangerWhoRegisteredAnAddressSharesNothingWithItsOwner() {
		register("a stranger's password");
		String stranger = JsonPath.read(body(login("a stranger's password"), 200), "$.data.access_token");
		notVerified(this.client.send(HttpMethod.POST, stranger, "/api/team/invitations",
				"{\"email\":\"accomplice@evil.test\",\"role\":\"owner\"}"));
		notVerified(this.client.send(HttpMethod.POST, stranger, "/api/webhooks/endpoints",
				"{\"url\":\"https://evil.test/hook\",\"events\":[\"email.sent\"]}"));
		String secret = JsonPath.read(body(this.client.send(HttpMethod.POST, stranger, "/api/auth/totp", "{}"), 200),
				"$.data.secret");
		this.client
			.send(HttpMethod.POST, stranger, "/api/auth/totp/confirm",
					"{\"code\":\"%s\"}".formatted(AuthenticatorApp.of(secret).code(Instant.now())))
			.expectStatus()
			.isOk();
		register("the owner's password");
		this.client.post("/api/auth/password/forgot", "{\"email\":\"%s\"}".formatted(this.address))
			.expectStatus()
			.isOk();
		this.client
			.post("/api/auth/password/reset",
					"{\"token\":\"%s\",\"password\":\"the owner's password\"}".formatted(token(RESET_LINK)))
			.expectStatus()
			.isOk();
		String owner = JsonPath.read(body(login("the owner's password"), 200), "$.data.access_token");
		String members = body(this.client.get(owner, "/api/team/members"), 200);
		assertThat(JsonPath.<List<String>>read(members, "$.data.members[*].email")).containsExactly(this.address);
		String me = body(this.client.get(owner, "/api/auth/me"), 200);
		assertThat(JsonPath.<Boolean>read(me, "$.data.user.email_verified")).isTrue();
		this.client.get(stranger, "/api/auth/me").expectStatus().isUnauthorized();
		login("a stranger's password").expectStatus().isUnauthorized();
	}

	private void register(String password) {
		this.client
			.post("/api/auth/register", "{\"email\":\"%s\",\"password\":\"%s\"}".formatted(this.address, password))
			.expectStatus()
			.isCreated();
	}

	private static void notVerified(WebTestClient.ResponseSpec response) {
		response.expectStatus().isForbidden().expectBody().jsonPath("$.error").isEqualTo("Email not verified");
	}

	private WebTestClient.ResponseSpec inviteWithKey() {
		return this.client.web()
			.post()
			.uri("/api/team/invitations")
			.headers((headers) -> headers.setBearerAuth(this.owner.token()))
			.header("Idempotency-Key", "invited once")
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue(invitation("viewer"))
			.exchange();
	}

	private WebTestClient.ResponseSpec send(HttpMethod method, String path, String json) {
		return this.client.send(method, this.owner.token(), path, json);
	}

	private String invitation(String role) {
		return "{\"email\":\"%s\",\"role\":\"%s\"}".formatted(this.address, role);
	}

	private WebTestClient.ResponseSpec accept() {
		return this.client.post("/api/team/invitations/accept",
				"{\"token\":\"%s\",\"password\":\"%s\",\"name\":\"Bob\"}".formatted(token(LINK), Person.PASSWORD));
	}

	/** The token of the link in a mail to the address. */
	private String token(Pattern link) {
		return Given.rows(
				"select text from email join email_content on email_id = id where email.account_id = '%s' and to_emails = '{%s}'",
				Account.PLATFORM, this.address)
			.stream()
			.map((text) -> link.matcher(this.sealed.open(text, Account.PLATFORM, this.address)))
			.filter(Matcher::find)
			.map((found) -> found.group(1))
			.findFirst()
			.orElseThrow();
	}

	private WebTestClient.ResponseSpec login() {
		return login(Person.PASSWORD);
	}

	private WebTestClient.ResponseSpec login(String password) {
		return this.client.post("/api/auth/login",
				"{\"email\":\"%s\",\"password\":\"%s\"}".formatted(this.address, password));
	}

	private static String body(WebTestClient.ResponseSpec response, int status) {
		return new String(response.expectStatus().isEqualTo(status).expectBody().returnResult().getResponseBody(),
				StandardCharsets.UTF_8);
	}

}

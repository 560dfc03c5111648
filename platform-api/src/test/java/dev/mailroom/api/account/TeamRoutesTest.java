package dev.mailroom.api.account;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.jayway.jsonpath.JsonPath;
import dev.mailroom.Given;
import dev.mailroom.account.Account;
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
				if (Set.of("jwt", "either").contains(operation.credential())) {
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
		String text = Given.rows(
				"select text from email join email_content on email_id = id where email.account_id = '%s' and to_emails = '{%s}'",
				Account.PLATFORM, this.address)
			.getFirst();
		Matcher link = LINK.matcher(this.sealed.open(text, Account.PLATFORM, this.address));
		assertThat(link.find()).isTrue();
		return this.client.post("/api/team/invitations/accept",
				"{\"token\":\"%s\",\"password\":\"%s\",\"name\":\"Bob\"}".formatted(link.group(1), Person.PASSWORD));
	}

	private WebTestClient.ResponseSpec login() {
		return this.client.post("/api/auth/login",
				"{\"email\":\"%s\",\"password\":\"%s\"}".formatted(this.address, Person.PASSWORD));
	}

	private static String body(WebTestClient.ResponseSpec response, int status) {
		return new String(response.expectStatus().isEqualTo(status).expectBody().returnResult().getResponseBody(),
				StandardCharsets.UTF_8);
	}

}

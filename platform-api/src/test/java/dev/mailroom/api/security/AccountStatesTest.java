package dev.mailroom.api.security;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

import com.jayway.jsonpath.JsonPath;
import dev.mailroom.EmailAddress;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.account.AccountNotice;
import dev.mailroom.account.ApiKeys;
import dev.mailroom.account.PasswordReset;
import dev.mailroom.account.Secret;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import dev.mailroom.api.docs.Ask;
import dev.mailroom.api.docs.Contract;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/** Permitted acts of people and keys in each state of their account. */
@WithApi
class AccountStatesTest {

	@Autowired
	ApiKeys keys;

	@Autowired
	PasswordReset reset;

	@Autowired
	Client client;

	@Autowired
	Person person;

	private final String email = UUID.randomUUID() + "@person.test";

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					VERIFIED            | ok           | ok           | ok                 | ok                 | ok
					UNVERIFIED          | ok           | ok           | Email not verified | Email not verified | Email not verified
					SECOND_REGISTRATION | ok           | ok           | Email not verified | Email not verified | Email not verified
					PAUSED              | ok           | ok           | ok                 | ok                 | Account paused
					SESSION_ENDED       | Unauthorized | Unauthorized | Unauthorized       | Unauthorized       | ok
					REPLACED            | Unauthorized | Unauthorized | Unauthorized       | Unauthorized       | Unauthorized
					""")
	void eachStateOfAnAccountPermitsItsActs(State state, String read, String create, String invite, String endpoint,
			String send) {
		if (state == State.SECOND_REGISTRATION) {
			Given.person(this.email);
		}
		String user = body(this.client.post("/api/auth/register", credentials()).expectStatus().isCreated());
		UUID account = UUID.fromString(JsonPath.read(user, "$.data.user.id"));
		String token = JsonPath.read(body(this.client.post("/api/auth/login", credentials()).expectStatus().isOk()),
				"$.data.access_token");
		UUID domain = Given.domain(account);
		String key = await(this.keys.create(Scope.of(account), domain, "k", List.of("emails.send"))).text();
		change(account, state);
		assertThat(answer(this.client.get(token, "/api/domains"))).isEqualTo(read);
		assertThat(answer(post(token, "/api/templates", "{\"name\":\"t\",\"text_content\":\"x\"}"))).isEqualTo(create);
		assertThat(answer(post(token, "/api/team/invitations", "{\"email\":\"x@y.test\",\"role\":\"viewer\"}")))
			.isEqualTo(invite);
		assertThat(answer(post(token, "/api/webhooks/endpoints",
				"{\"url\":\"https://y.test/hook\",\"events\":[\"email.sent\"]}")))
			.isEqualTo(endpoint);
		assertThat(answer(post(key, "/api/emails",
				"{\"from\":\"a@%s.test\",\"to\":[\"x@y.test\"],\"subject\":\"s\",\"text\":\"x\"}".formatted(domain))))
			.isEqualTo(send);
		assertThat(answer(this.client.post("/api/auth/login", credentials())))
			.isEqualTo((state == State.REPLACED) ? "Unauthorized" : "ok");
	}

	@Test
	void anUnverifiedPersonIsRefusedOnlyWhatConcernsOthers() {
		Given.run("update account set email_verified_at = null where id = '%s'", this.person.account());
		Set<String> refused = new TreeSet<>();
		for (Contract.Operation operation : Contract.written().operations()) {
			boolean signsOut = operation.path().startsWith("/api/auth/") && !operation.method().equals("GET");
			if (Set.of("jwt", "account", "either").contains(operation.credential()) && !signsOut) {
				String answer = answer(Ask.of(operation).by(this.client, this.person.token()));
				assertThat(answer).as("%s", operation).isNotIn("Unauthorized", "Forbidden");
				if (answer.equals("Email not verified")) {
					refused.add(operation.toString());
				}
			}
		}
		assertThat(refused).containsExactlyInAnyOrder("POST /api/inbound/targets",
				"POST /api/inbound/targets/{id}/resend", "POST /api/team/invitations", "POST /api/webhooks/endpoints");
	}

	private void change(UUID account, State state) {
		switch (state) {
			case VERIFIED -> Given.run("update account set email_verified_at = now() where id = '%s'", account);
			case PAUSED ->
				Given.run("update account set email_verified_at = now(), paused_reason = 'complaints' where id = '%s'",
						account);
			case SESSION_ENDED -> Given.run("update account set email_verified_at = now() where id = '%1$s'; "
					+ "delete from session where account_id = '%1$s'", account);
			case REPLACED -> {
				AccountNotice.ResetPassword mail = (AccountNotice.ResetPassword) await(
						this.reset.forgot(EmailAddress.parse(this.email).orElseThrow()));
				await(this.reset.reset(PasswordReset.Request.of(mail.token(), Secret.of("the owner's password"))));
			}
			case UNVERIFIED, SECOND_REGISTRATION -> {
			}
		}
	}

	private String credentials() {
		return "{\"email\":\"%s\",\"password\":\"a password of its own\"}".formatted(this.email);
	}

	private WebTestClient.ResponseSpec post(String credential, String path, String json) {
		return this.client.send(HttpMethod.POST, credential, path, json);
	}

	/** The name of the error, or ok. */
	private static String answer(WebTestClient.ResponseSpec response) {
		EntityExchangeResult<byte[]> result = response.expectBody().returnResult();
		if (result.getStatus().is2xxSuccessful()) {
			return "ok";
		}
		return JsonPath.read(new String(result.getResponseBody(), StandardCharsets.UTF_8), "$.error");
	}

	private static String body(WebTestClient.ResponseSpec response) {
		return new String(response.expectBody().returnResult().getResponseBody(), StandardCharsets.UTF_8);
	}

	/** States of an account, and of a person's sign-in to it. */
	enum State {

		VERIFIED, UNVERIFIED, SECOND_REGISTRATION, PAUSED, SESSION_ENDED, REPLACED

	}

}

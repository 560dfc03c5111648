package dev.mailroom.admin.account;

import java.time.Instant;
import java.util.Map;

import dev.mailroom.account.AccessTokens;
import dev.mailroom.account.AuthenticatorApp;
import dev.mailroom.account.Sessions;
import dev.mailroom.account.SignInSession;
import dev.mailroom.admin.GraphQl;
import dev.mailroom.admin.Person;
import dev.mailroom.admin.WithAdmin;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

@WithAdmin
class SecondFactorTest {

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	@Test
	void aSecondFactorIsSetUpAndRequiredAtSignIn() {
		Person person = Person.in(this.context);
		GraphQl web = GraphQl.at(this.port);
		GraphQl client = web.as(person);
		JsonNode secret = client.change("beginSecondFactor", "", "secret url");
		assertThat(secret.path("url").asString()).contains(secret.path("secret").asString());
		AuthenticatorApp app = AuthenticatorApp.of(secret.path("secret").asString());
		assertThat(client.userError("confirmSecondFactor", "(input: { code: \"x\" })"))
			.isEqualTo("invalid_request_data");
		JsonNode codes = client
			.change("confirmSecondFactor", "(input: { code: \"" + app.code(Instant.now()) + "\" })", "recoveryCodes")
			.path("recoveryCodes");
		assertThat(client.data("{ viewer { secondFactor { active recoveryCodes } } }").toString())
			.contains("{\"active\":true,\"recoveryCodes\":10}");
		JsonNode signedIn = web.change("signIn",
				"(input: { email: \"%s\", password: \"%s\" })".formatted(person.email(), Person.PASSWORD),
				"accessToken challenge");
		assertThat(signedIn.path("accessToken").isNull()).isTrue();
		String step = "(input: { challenge: \"" + signedIn.path("challenge").asString() + "\", code: \"%s\" })";
		assertThat(web.error("mutation { signInWithCode" + step.formatted("123") + " { accessToken } }")
			.path("name")
			.asString()).isEqualTo("unauthorized");
		String token = web
			.change("signInWithCode", step.formatted(codes.path(0).asString()), "accessToken enrolling account { id }")
			.path("accessToken")
			.asString();
		web.as(token).change("removeSecondFactor", "(input: { password: \"" + Person.PASSWORD + "\" })", "done");
	}

	@Test
	void aTokenForTheSettingUpPermitsNothingElse() {
		SignInSession session = await(
				this.context.getBean(Sessions.class).start(Person.operator(this.context).scope()));
		GraphQl client = GraphQl.at(this.port)
			.as(await(this.context.getBean(AccessTokens.class).issue(session, AccessTokens.Grant.ENROLMENT, ""))
				.text());
		client.change("beginSecondFactor", "", "secret");
		for (String refused : new String[] { "{ viewer { account { id } } }", "{ operator { plans { name } } }" }) {
			assertThat(client.send(refused, Map.of()).path("errors").path(0).path("extensions").path("name").asString())
				.isEqualTo("forbidden");
		}
		assertThat(client.send("mutation { updateAccount(input: { name: \"x\" }) { userErrors { name } } }", Map.of())
			.toString()).contains("forbidden");
	}

}

package dev.mailroom.api.account;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.account.ApiKeys;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.TestPropertySource;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/** Uses a client that does not log. */
@WithApi
@ExtendWith(OutputCaptureExtension.class)
@TestPropertySource(properties = { "logging.level.dev.mailroom=trace", "logging.level.org.springframework=debug" })
class SecretsInLogsTest {

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	@Test
	void passwordsAndTokensAreNotLogged(CapturedOutput output) throws Exception {
		Person person = Person.in(this.context);
		String response = call("login",
				"{\"email\":\"%s\",\"password\":\"%s\"}".formatted(person.email(), Person.PASSWORD), "");
		call("login", "{\"email\":\"%s\",\"password\":\"%s\"}".formatted(person.email(), "a wrong guess"), "");
		call("refresh", "{\"refresh_token\":\"%s\"}".formatted(person.refreshToken()), "");
		call("me", "", person.token());
		call("me", "", person.token() + "x");
		call("verify-email", "{\"token\":\"a-guessed-token\"}", "");
		assertThat(output).contains("/api/auth/login").contains("Decoded [Login");
		assertThat(output).doesNotContain(Person.PASSWORD, "a wrong guess", person.refreshToken(), person.token(),
				"a-guessed-token");
		assertThat(response).contains("access_token");
		for (String part : response.split("\"", -1)) {
			if (part.length() > 60) {
				assertThat(output).doesNotContain(part);
			}
		}
	}

	@Test
	void keysAreNotLogged(CapturedOutput output) throws Exception {
		UUID account = Given.account("free");
		ApiKeys keys = this.context.getBean(ApiKeys.class);
		String key = await(keys.create(Scope.of(account), Given.domain(account), "a key", List.of("send"))).text();
		call("me", "", key);
		call("me", "", key + "x");
		assertThat(output).contains("/api/auth/me").doesNotContain(key.substring(key.lastIndexOf('_') + 1));
	}

	private String call(String route, String body, String token) throws Exception {
		HttpRequest.Builder request = HttpRequest
			.newBuilder(URI.create("http://localhost:" + this.port + "/api/auth/" + route))
			.header("Content-Type", "application/json")
			.header("Authorization", "Bearer " + token);
		request = body.isEmpty() ? request.GET() : request.POST(HttpRequest.BodyPublishers.ofString(body));
		try (HttpClient client = HttpClient.newHttpClient()) {
			return client.send(request.build(), HttpResponse.BodyHandlers.ofString()).body();
		}
	}

}

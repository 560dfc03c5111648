package dev.mailroom.api.account;

import java.time.Duration;
import java.util.TreeSet;
import java.util.UUID;

import dev.mailroom.api.ApiTest;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.EntityExchangeResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests that name an address have the same response for one with an account and for an
 * unknown one.
 */
@ApiTest
class AccountEnumerationTest {

	/** Responses that send a mail take this time whether or not they do. */
	private static final Duration MIN_DURATION = Duration.ofMillis(300);

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	private Client client;

	private Person caller;

	@BeforeEach
	void signIn() {
		this.client = new Client(this.port);
		this.caller = Person.in(this.context);
	}

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

	/** Status, names of headers, and body without the values that always differ. */
	private String signature(String path, String body, String value) {
		long begin = System.nanoTime();
		EntityExchangeResult<String> result = this.client.web()
			.post()
			.uri(path)
			.headers((headers) -> headers.setBearerAuth(this.caller.token()))
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue(body.formatted(value))
			.exchange()
			.expectBody(String.class)
			.returnResult();
		if (path.contains("register") || path.contains("forgot") || path.contains("resend")) {
			assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(MIN_DURATION);
		}
		return result.getStatus() + " " + new TreeSet<>(result.getResponseHeaders().headerNames()) + " "
				+ String.valueOf(result.getResponseBody())
					.replace(value, "VALUE")
					.replaceAll("\"(id|[a-z]+_at|request_id)\":\"[^\"]+\"", "$1");
	}

}

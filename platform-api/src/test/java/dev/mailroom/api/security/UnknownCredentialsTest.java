package dev.mailroom.api.security;

import java.net.URI;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

import dev.mailroom.account.UnknownKey;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

@WithApi
class UnknownCredentialsTest {

	/** More requests than a network may send in the time that they take. */
	private static final int MANY = 2000;

	@LocalServerPort
	int port;

	@Autowired
	Client client;

	@Autowired
	Person person;

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			/api/auth/verify-email         | 400 | {"token":"%s","password":"correct horse battery"}
			/api/auth/password/reset       | 400 | {"token":"%s","password":"correct horse battery"}
			/api/team/invitations/accept   | 400 | {"token":"%s","password":"correct horse battery"}
			/api/auth/login/totp           | 400 | {"challenge":"%s","code":"123456"}
			/api/auth/refresh              | 401 | {"refreshToken":"rt_%s.%1$s"}
			""")
	void tokensAreLimitedByTheClientsNetwork(String path, int status, String body) {
		String network = network();
		limited(status, () -> exchange(HttpMethod.POST, path, network, null, body.formatted(token())));
		assertThat(status(exchange(HttpMethod.POST, path, network(), null, body.formatted(token())))).isEqualTo(status);
	}

	@ParameterizedTest
	@CsvSource({ "GET,/api/emails/logs", "POST,/api/emails", "POST,/api/%65mails" })
	void apiKeysAreLimitedByTheClientsNetworkAndAccessTokensAreNot(String method, String path) {
		String network = network();
		limited(401,
				() -> exchange(HttpMethod.valueOf(method), path, network, UnknownKey.next(), "{\"to\":\"a@b.test\"}"));
		assertThat(status(exchange(HttpMethod.GET, "/api/domains", network, this.person.token(), "{}"))).isEqualTo(200);
		assertThat(status(exchange(HttpMethod.valueOf(method), path, network(), UnknownKey.next(), "{}")))
			.isEqualTo(401);
	}

	@Test
	void aKeyThatIsSentAgainIsNotCounted() {
		String network = network();
		String key = UnknownKey.next();
		for (int i = 0; i < 300; i++) {
			assertThat(status(exchange(HttpMethod.GET, "/api/domains", network, key, "{}"))).isEqualTo(401);
		}
	}

	/** Sends requests until one is refused, before which all have the same status. */
	private static void limited(int status, Supplier<WebTestClient.ResponseSpec> request) {
		for (int i = 0; i < MANY; i++) {
			EntityExchangeResult<String> response = request.get().expectBody(String.class).returnResult();
			if (response.getStatus().value() == 429) {
				assertThat(i).isGreaterThan(50);
				assertThat(response.getResponseHeaders().getFirst(HttpHeaders.RETRY_AFTER)).isEqualTo("1");
				assertThat(response.getResponseBody()).contains("\"error\":\"Rate limit exceeded\"");
				return;
			}
			assertThat(response.getStatus().value()).as(response.getResponseBody()).isEqualTo(status);
		}
		throw new AssertionError("no request was refused");
	}

	private static int status(WebTestClient.ResponseSpec response) {
		return response.returnResult(byte[].class).getStatus().value();
	}

	private WebTestClient.ResponseSpec exchange(HttpMethod method, String path, String network, @Nullable String bearer,
			String body) {
		WebTestClient.RequestBodySpec request = this.client.web()
			.method(method)
			.uri(URI.create("http://localhost:" + this.port + path))
			.header("X-Forwarded-For", network)
			.contentType(MediaType.APPLICATION_JSON);
		if (bearer != null) {
			request.headers((headers) -> headers.setBearerAuth(bearer));
		}
		return HttpMethod.GET.equals(method) ? request.exchange() : request.bodyValue(body).exchange();
	}

	private static String network() {
		return "2001:db8:" + Integer.toHexString(ThreadLocalRandom.current().nextInt(1, 60_000)) + ":"
				+ Integer.toHexString(ThreadLocalRandom.current().nextInt(1, 60_000)) + "::1";
	}

	private static String token() {
		return (UUID.randomUUID() + "" + UUID.randomUUID()).replace("-", "").substring(0, 43);
	}

}

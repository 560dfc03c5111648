package dev.mailroom.api.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import com.jayway.jsonpath.JsonPath;
import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.account.ApiKeys;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithLimitedApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

@WithLimitedApi
@Execution(ExecutionMode.CONCURRENT)
class InFlightBytesTest {

	private static final Duration DEADLINE = Duration.ofSeconds(30);

	private static final String SMALL = "{\"name\":\"not a domain\"}";

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	@Autowired
	ApiKeys keys;

	@Autowired
	Client client;

	@Autowired
	Person person;

	@Test
	void anAccountAboveItsShareIsRefusedUntilMemoryIsFreeAndOthersAreNot() throws Exception {
		Person other = Person.in(this.context);
		try (Socket socket = begin(20_000_000)) {
			OutputStream body = socket.getOutputStream();
			body.write(" ".repeat(9_999_990).getBytes(StandardCharsets.US_ASCII));
			Await.untilAsserted(() -> {
				body.write(' ');
				refused(post(SMALL));
			});
			this.client.send(HttpMethod.POST, other.token(), "/api/domains", SMALL).expectStatus().isBadRequest();
		}
		Await.untilAsserted(() -> post(SMALL).expectStatus().isBadRequest());
	}

	@Test
	void aDeclaredBodyUsesNoMemoryBeforeItArrives() throws Exception {
		try (Socket _ = begin(20_000_000); Socket _ = begin(20_000_000)) {
			post(SMALL).expectStatus().isBadRequest();
		}
	}

	@Test
	void aDeclaredMailUsesNoMemoryBeforeItArrives() throws Exception {
		Scope scope = Scope.of(this.person.account(), Given.domain(this.person.account()), UUID.randomUUID());
		String key = Await.await(this.keys.create(Scope.of(scope.account()), scope.domain(), "k", List.of("send")))
			.text();
		List<Socket> declared = new ArrayList<>();
		try {
			for (int i = 0; i < 12; i++) {
				declared.add(new Socket("localhost", this.port));
				declared.getLast()
					.getOutputStream()
					.write(head("/api/emails", key, "application/json\r\nContent-Length: 2000000")
						.getBytes(StandardCharsets.US_ASCII));
			}
			for (int i = 0; i < 5; i++) {
				this.client.send(HttpMethod.POST, key, "/api/emails", "{}").expectStatus().isBadRequest();
			}
		}
		finally {
			for (Socket socket : declared) {
				socket.close();
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "/api/domains", "/api/emails" })
	void aBodyThatArrivesTooSlowlyIsGivenUp(String path) throws Exception {
		Scope scope = Scope.of(this.person.account(), Given.domain(this.person.account()), UUID.randomUUID());
		String token = path.endsWith("emails")
				? Await.await(this.keys.create(Scope.of(scope.account()), scope.domain(), "k", List.of("send"))).text()
				: this.person.token();
		try (Socket socket = new Socket("localhost", this.port)) {
			OutputStream request = socket.getOutputStream();
			request.write(head(path, token, "application/json\r\nContent-Length: 1000000")
				.getBytes(StandardCharsets.US_ASCII));
			Await.until("a reply begins", DEADLINE, Duration.ofMillis(200), () -> {
				request.write(' ');
				return socket.getInputStream().available() > 0;
			});
			BufferedReader response = new BufferedReader(
					new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
			assertThat(response.readLine()).contains("400");
		}
	}

	@Test
	void aBodyAboveTheLargestSizeIsRefusedBeforeItArrives() throws Exception {
		String limits = "application/json\r\nContent-Length: ";
		assertThat(status(head("/api/domains", this.person.token(), limits + (25 * 1024 * 1024 + 1)))).contains("413");
		assertThat(status(head("/api/auth/login", "", limits + (16 * 1024 + 1)))).contains("413");
		assertThat(status(head("/api/auth/login", "", "application/json\r\nTransfer-Encoding: chunked")
				+ Integer.toHexString(17 * 1024) + "\r\n" + " ".repeat(17 * 1024) + "\r\n0\r\n\r\n"))
			.contains("413");
	}

	@Test
	void aBodyOfUnknownLengthIsCountedWhileItIsReceived() {
		refused(chunked(HttpMethod.POST, "/api/domains"));
		Await.untilAsserted(() -> post(SMALL).expectStatus().isBadRequest());
	}

	@Test
	void aPathThatEndsLikeThatOfAnImportIsCounted() {
		refused(chunked(HttpMethod.PATCH, "/api/contact-books/" + UUID.randomUUID() + "/contacts/import"));
	}

	private WebTestClient.ResponseSpec chunked(HttpMethod method, String path) {
		return this.client.web()
			.method(method)
			.uri(path)
			.headers((headers) -> headers.setBearerAuth(this.person.token()))
			.contentType(MediaType.APPLICATION_JSON)
			.body(Flux.range(0, 20).map((_) -> " ".repeat(1_000_000)), String.class)
			.exchange();
	}

	@Test
	void anImportIsReadInPiecesAndNotCounted() {
		String book = String.valueOf(
				this.client.send(HttpMethod.POST, this.person.token(), "/api/contact-books", "{\"name\":\"Friends\"}")
					.expectBody(String.class)
					.returnResult()
					.getResponseBody());
		Flux<String> lines = Flux.range(0, 150).map((i) -> "many" + i + "@b.test," + "x".repeat(150) + "\n");
		this.client.web()
			.post()
			.uri("/api/contact-books/" + JsonPath.<String>read(book, "$.data.contactBook.id") + "/contacts/import")
			.headers((headers) -> headers.setBearerAuth(this.person.token()))
			.contentType(new MediaType("text", "csv"))
			.body(lines.startWith("email,first_name\n"), String.class)
			.exchange()
			.expectBody()
			.jsonPath("$.data.count")
			.isEqualTo(150);
	}

	private WebTestClient.ResponseSpec post(String body) {
		return this.client.send(HttpMethod.POST, this.person.token(), "/api/domains", body);
	}

	private static void refused(WebTestClient.ResponseSpec response) {
		response.expectStatus()
			.isEqualTo(503)
			.expectHeader()
			.valueEquals("Retry-After", "1")
			.expectBody()
			.jsonPath("$.error")
			.isEqualTo("Service unavailable");
	}

	/** Sends the head of a request without its body. */
	private Socket begin(int length) throws IOException {
		Socket socket = new Socket("localhost", this.port);
		socket.getOutputStream()
			.write(head("/api/domains", this.person.token(), "application/json\r\nContent-Length: " + length)
				.getBytes(StandardCharsets.US_ASCII));
		return socket;
	}

	private static String head(String path, String token, String type) {
		return "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token + "\r\nContent-Type: "
				+ type + "\r\n\r\n";
	}

	private String status(String request) throws IOException {
		try (Socket socket = new Socket("localhost", this.port)) {
			socket.setSoTimeout((int) DEADLINE.toMillis());
			socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
			return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
				.readLine();
		}
	}

}

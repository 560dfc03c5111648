package dev.mailroom.api.http;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import com.jayway.jsonpath.JsonPath;
import dev.mailroom.api.ApiTest;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.awaitility.Awaitility.await;

@ApiTest
@TestPropertySource(properties = "mailroom.in-flight-bytes=10000")
class InFlightBytesTest {

	private static final Duration DEADLINE = Duration.ofSeconds(30);

	private static final String SMALL = "{\"name\":\"not a domain\"}";

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	private Client client;

	private Person person;

	@BeforeEach
	void connect() {
		this.client = new Client(this.port);
		this.person = Person.in(this.context);
	}

	@Test
	void requestsAboveTheLimitAreRefusedUntilMemoryIsFree() throws Exception {
		try (Socket _ = begin(9_990)) {
			await().atMost(DEADLINE).untilAsserted(() -> refused(post(SMALL)));
		}
		await().atMost(DEADLINE).untilAsserted(() -> post(SMALL).expectStatus().isBadRequest());
	}

	@Test
	void aBodyOfUnknownLengthIsCountedWhileItIsReceived() {
		refused(this.client.web()
			.post()
			.uri("/api/domains")
			.headers((headers) -> headers.setBearerAuth(this.person.token()))
			.contentType(MediaType.APPLICATION_JSON)
			.body(Flux.range(0, 20).map((_) -> " ".repeat(1_000)), String.class)
			.exchange());
		await().atMost(DEADLINE).untilAsserted(() -> post(SMALL).expectStatus().isBadRequest());
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
			.write(("POST /api/domains HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + this.person.token()
					+ "\r\nContent-Type: application/json\r\nContent-Length: " + length + "\r\n\r\n")
				.getBytes(StandardCharsets.US_ASCII));
		return socket;
	}

}

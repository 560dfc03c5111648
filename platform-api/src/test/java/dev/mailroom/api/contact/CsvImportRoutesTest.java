package dev.mailroom.api.contact;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;

import static dev.mailroom.api.contact.CsvClient.file;
import static dev.mailroom.api.contact.CsvClient.refused;
import static org.assertj.core.api.Assertions.assertThat;

@WithApi
class CsvImportRoutesTest {

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	private final CsvClient client;

	@Autowired
	CsvImportRoutesTest(Client http, Person person) {
		this.client = new CsvClient(http, person);
	}

	@Test
	void validLinesAreSavedAndInvalidOnesAreReported() {
		String file = """
				\uFEFFE-Mail Address,First Name,last_name,Company,subscribed
				ann@b.test,Ann,"Ax, ""the"" first",Acme,
				no address,Bob,B,,yes

				cy@b.test,Cy,,,no
				dee@b.test,Dee,,,perhaps
				e@b.test,,,,,too many
				""";
		this.client.importFile(file)
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.data.count")
			.isEqualTo(2)
			.jsonPath("$.data.failed")
			.isEqualTo(3)
			.jsonPath("$.data.errors[0].line")
			.isEqualTo(3)
			.jsonPath("$.data.errors[0].field")
			.isEqualTo("email")
			.jsonPath("$.data.errors[1].line")
			.isEqualTo(6)
			.jsonPath("$.data.errors[1].field")
			.isEqualTo("subscribed")
			.jsonPath("$.data.errors[2].line")
			.isEqualTo(7)
			.jsonPath("$.data.errors[2].field")
			.isEqualTo("line");
		this.client.list("?search=ann")
			.expectBody()
			.jsonPath("$.data.contacts[0].last_name")
			.isEqualTo("Ax, \"the\" first")
			.jsonPath("$.data.contacts[0].properties.Company")
			.isEqualTo("Acme")
			.jsonPath("$.data.contacts[0].subscribed")
			.isEqualTo(true);
		this.client.list("?search=cy").expectBody().jsonPath("$.data.contacts[0].subscribed").isEqualTo(false);
	}

	@Test
	void anImportResubscribesOnlyWithResubscribe() {
		this.client.importFile("email,subscribed\na@b.test,false\n").expectStatus().isOk();
		this.client.importFile("email,subscribed\na@b.test,true\n")
			.expectBody()
			.jsonPath("$.data.updated")
			.isEqualTo(1);
		this.client.list("").expectBody().jsonPath("$.data.contacts[0].subscribed").isEqualTo(false);
		this.client.post(this.client.contacts + "/import?resubscribe=true", "email,subscribed\na@b.test,true\n")
			.expectStatus()
			.isOk();
		this.client.list("").expectBody().jsonPath("$.data.contacts[0].subscribed").isEqualTo(true);
	}

	@Test
	void aFileThatExceedsThePlansLimitIsRefused() {
		refused(this.client.importFile(file(201)), 403, "Contact limit reached");
		this.client.list("").expectBody().jsonPath("$.data.pagination.total").isEqualTo(0);
		this.client.importFile(file(200)).expectBody().jsonPath("$.data.count").isEqualTo(200);
		refused(this.client.importFile("email\none@more.test\n"), 403, "Contact limit reached");
	}

	@Test
	void aFileThatExceedsThePlansLimitIsRefusedBeforeItIsCompletelyReceived() throws IOException {
		for (int i = 0; i < 8; i++) {
			try (Socket socket = new Socket("localhost", this.port)) {
				socket.setSoTimeout(30_000);
				socket.getOutputStream()
					.write(("POST " + this.client.contacts + "/import HTTP/1.1\r\nHost: localhost\r\n"
							+ "Authorization: Bearer " + this.client.person.token()
							+ "\r\nContent-Type: text/csv\r\nContent-Length: 1000000\r\n\r\n" + file(5_000))
						.getBytes(StandardCharsets.UTF_8));
				byte[] status = socket.getInputStream().readNBytes("HTTP/1.1 403".length());
				assertThat(new String(status, StandardCharsets.UTF_8)).isEqualTo("HTTP/1.1 403");
			}
		}
	}

	@Test
	void aFileOfManyChunksIsImportedCompletely() {
		Given.run("update account set plan = 'unlimited' where id = '%s'", this.client.person.account());
		this.client.importFile(file(5_000)).expectBody().jsonPath("$.data.count").isEqualTo(5_000);
		this.client.importFile(file(5_001))
			.expectBody()
			.jsonPath("$.data.count")
			.isEqualTo(1)
			.jsonPath("$.data.updated")
			.isEqualTo(5_000);
		this.client.list("?limit=1").expectBody().jsonPath("$.data.pagination.total").isEqualTo(5_001);
		assertThat(this.client.export(this.client.contacts).lines()).hasSize(5_002).doesNotHaveDuplicates();
	}

	@Test
	void aLineOfTooManyFieldsOrCharactersIsRefused() {
		refused(this.client.importFile("email\na@b.test" + ",".repeat(1000) + "\n"), 400, "Invalid request data");
		String fields = ("," + "x".repeat(30_000)).repeat(40);
		refused(this.client.importFile("email\na@b.test" + fields + "\n"), 400, "Invalid request data");
		this.client.importFile("email\na@b.test" + fields.substring(0, 900_000) + "\nb@b.test\n")
			.expectBody()
			.jsonPath("$.data.count")
			.isEqualTo(1)
			.jsonPath("$.data.failed")
			.isEqualTo(1);
	}

	@Test
	void aThirdImportOfAnAccountAtTheSameTimeIsRefused() throws IOException {
		try (Socket first = unfinishedImport(); Socket second = unfinishedImport()) {
			assertThat(List.of(first, second)).allMatch(Socket::isConnected);
			this.client.importFile("email\na@b.test\n")
				.expectStatus()
				.isEqualTo(HttpStatus.SERVICE_UNAVAILABLE)
				.expectHeader()
				.exists("Retry-After")
				.expectBody()
				.jsonPath("$.error")
				.isEqualTo("Service unavailable");
			new CsvClient(this.client.http, Person.in(this.context)).importFile("email\na@b.test\n")
				.expectStatus()
				.isOk();
		}
		Await.until("the imports have ended",
				() -> this.client.importFile("email\na@b.test\n")
					.returnResult(String.class)
					.getStatus()
					.is2xxSuccessful());
	}

	/** An import that has begun: the server asks for its file. */
	private Socket unfinishedImport() throws IOException {
		Socket socket = new Socket("localhost", this.port);
		socket.setSoTimeout(30_000);
		socket.getOutputStream()
			.write(("POST " + this.client.contacts + "/import HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
					+ this.client.person.token()
					+ "\r\nContent-Type: text/csv\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n")
				.getBytes(StandardCharsets.UTF_8));
		byte[] status = socket.getInputStream().readNBytes("HTTP/1.1 100".length());
		assertThat(new String(status, StandardCharsets.UTF_8)).isEqualTo("HTTP/1.1 100");
		return socket;
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "\n", "first_name\nAnn\n", "email;first_name\na@b.test;Ann\n",
			"email,email\na@b.test,\n", "email,\na@b.test,x\n", "email,name\na@b.test,\"never closed\n" })
	void anInvalidFileIsRefused(String file) {
		refused(this.client.importFile(file), 400, "Invalid request data");
	}

	@Test
	void aFileInAnotherCharsetOrMediaTypeIsRefused() {
		byte[] latin = "email,first_name\na@b.test,Zoë\n".getBytes(StandardCharsets.ISO_8859_1);
		refused(this.client.post(this.client.contacts + "/import", latin), 400, "Invalid request data");
		refused(this.client.http.send(HttpMethod.POST, this.client.person.token(), this.client.contacts + "/import",
				"[]"), 415, "Unsupported media type");
	}

	@Test
	void anImportIntoAnUnknownBookIsNotFound() {
		String unknownBook = "/api/contact-books/" + UUID.randomUUID() + "/contacts";
		refused(this.client.importFile(unknownBook, "email\na@b.test\n"), 404, "Contact book not found");
	}

	@Test
	void anImportWithAKeyIsProcessedOnce() {
		for (int i = 0; i < 2; i++) {
			this.client.importWithKey("one", "email\na@b.test\n")
				.expectStatus()
				.isOk()
				.expectBody()
				.jsonPath("$.data.count")
				.isEqualTo(1);
		}
	}

	@Test
	void anImportWithAKeySavesNothingIfItIsRefused() {
		refused(this.client.importWithKey("one", file(1_000)), 403, "Contact limit reached");
		this.client.list("").expectBody().jsonPath("$.data.pagination.total").isEqualTo(0);
	}

}

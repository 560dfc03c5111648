package dev.mailroom.api.contact;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.jayway.jsonpath.JsonPath;
import dev.mailroom.Given;
import dev.mailroom.api.ApiTest;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

@ApiTest
class ContactFileTest {

	private static final MediaType CSV = new MediaType("text", "csv");

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	private Client client;

	private Person person;

	private String contacts;

	@BeforeEach
	void openABook() {
		this.client = new Client(this.port);
		this.person = Person.in(this.context);
		this.contacts = book("Friends");
	}

	@Test
	void aFilesLinesAreAddedAndTheUnusableOnesAreTold() {
		String file = """
				\uFEFFE-Mail Address,First Name,last_name,Company,subscribed
				ann@b.test,Ann,"Ax, ""the"" first",Acme,
				no address,Bob,B,,yes

				cy@b.test,Cy,,,no
				dee@b.test,Dee,,,perhaps
				e@b.test,,,,,too many
				""";
		imported(file).expectStatus()
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
			.isEqualTo("subscribed");
		get("?search=ann").expectBody()
			.jsonPath("$.data.contacts[0].last_name")
			.isEqualTo("Ax, \"the\" first")
			.jsonPath("$.data.contacts[0].properties.Company")
			.isEqualTo("Acme")
			.jsonPath("$.data.contacts[0].subscribed")
			.isEqualTo(true);
		get("?search=cy").expectBody().jsonPath("$.data.contacts[0].subscribed").isEqualTo(false);
	}

	@Test
	void anExportIsSafeToOpenAndComesInAgainAsItWas() {
		String json = """
				[{"email":"=cmd@b.test","firstName":"=1+1","lastName":"@x","properties":{"k":{"n":[1,"a,b"]}}},
				 {"email":"zoe@b.test","firstName":"Zoë \\"Z\\"","subscribed":false}]
				""";
		this.client.send(HttpMethod.POST, this.person.token(), this.contacts + "/bulk", json).expectStatus().isOk();
		String file = exported(this.contacts);
		assertThat(file).startsWith("email,first_name,last_name,subscribed,properties\r\n")
			.contains("'=cmd@b.test,'=1+1,'@x,true,", "zoe@b.test,\"Zoë \"\"Z\"\"\",,false,{}");
		String second = book("Again");
		imported(second, file).expectBody()
			.jsonPath("$.data.count")
			.isEqualTo(2)
			.jsonPath("$.data.failed")
			.isEqualTo(0);
		assertThat(exported(second).lines().sorted().toList()).isEqualTo(file.lines().sorted().toList());
	}

	@Test
	void nobodyIsSubscribedAgainUnlessItIsAskedFor() {
		imported("email,subscribed\na@b.test,false\n").expectStatus().isOk();
		imported("email,subscribed\na@b.test,true\n").expectBody().jsonPath("$.data.updated").isEqualTo(1);
		get("").expectBody().jsonPath("$.data.contacts[0].subscribed").isEqualTo(false);
		post(this.contacts + "/import?resubscribe=true", "email,subscribed\na@b.test,true\n").expectStatus().isOk();
		get("").expectBody().jsonPath("$.data.contacts[0].subscribed").isEqualTo(true);
	}

	@Test
	void aFileThatThePlanDoesNotHoldIsRefused() {
		refused(imported(many(201)), 403, "Contact limit reached");
		get("").expectBody().jsonPath("$.data.pagination.total").isEqualTo(0);
		imported(many(200)).expectBody().jsonPath("$.data.count").isEqualTo(200);
		refused(imported("email\none@more.test\n"), 403, "Contact limit reached");
	}

	@Test
	void aFileIsRefusedBeforeItsEndWhereThePlanHoldsNoMore() throws IOException {
		for (int i = 0; i < 8; i++) {
			try (Socket socket = new Socket("localhost", this.port)) {
				socket.setSoTimeout(30_000);
				socket.getOutputStream()
					.write(("POST " + this.contacts + "/import HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
							+ this.person.token() + "\r\nContent-Type: text/csv\r\nContent-Length: 1000000\r\n\r\n"
							+ many(5_000))
						.getBytes(StandardCharsets.UTF_8));
				byte[] answer = socket.getInputStream().readNBytes("HTTP/1.1 403".length());
				assertThat(new String(answer, StandardCharsets.UTF_8)).isEqualTo("HTTP/1.1 403");
			}
		}
	}

	@Test
	void aLongFileComesInAndGoesOutPieceByPiece() {
		Given.run("update account set plan = 'unlimited' where id = '%s'", this.person.account());
		imported(many(5_000)).expectBody().jsonPath("$.data.count").isEqualTo(5_000);
		imported(many(5_001)).expectBody()
			.jsonPath("$.data.count")
			.isEqualTo(1)
			.jsonPath("$.data.updated")
			.isEqualTo(5_000);
		get("?limit=1").expectBody().jsonPath("$.data.pagination.total").isEqualTo(5_001);
		assertThat(exported(this.contacts).lines()).hasSize(5_002).doesNotHaveDuplicates();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "\n", "first_name\nAnn\n", "email;first_name\na@b.test;Ann\n",
			"email,email\na@b.test,\n", "email,\na@b.test,x\n", "email,name\na@b.test,\"never closed\n" })
	void aFileThatIsNoneIsRefused(String file) {
		refused(imported(file), 400, "Invalid request data");
	}

	@Test
	void aFileInAnotherCharsetIsRefused() {
		byte[] latin = "email,first_name\na@b.test,Zoë\n".getBytes(StandardCharsets.ISO_8859_1);
		refused(this.client.web()
			.post()
			.uri(this.contacts + "/import")
			.headers((headers) -> headers.setBearerAuth(this.person.token()))
			.contentType(CSV)
			.bodyValue(latin)
			.exchange(), 400, "Invalid request data");
		refused(this.client.send(HttpMethod.POST, this.person.token(), this.contacts + "/import", "[]"), 415,
				"Unsupported media type");
	}

	@Test
	void aFileOfNobodysBookIsNotFound() {
		String nowhere = "/api/contact-books/" + UUID.randomUUID() + "/contacts";
		refused(imported(nowhere, "email\na@b.test\n"), 404, "Contact book not found");
		refused(this.client.get(this.person.token(), nowhere + "/export"), 404, "Contact book not found");
	}

	@Test
	void anImportWithAKeyHappensOnce() {
		for (int i = 0; i < 2; i++) {
			this.client.web()
				.post()
				.uri(this.contacts + "/import")
				.headers((headers) -> headers.setBearerAuth(this.person.token()))
				.header("Idempotency-Key", "one")
				.contentType(CSV)
				.bodyValue("email\na@b.test\n")
				.exchange()
				.expectStatus()
				.isOk()
				.expectBody()
				.jsonPath("$.data.count")
				.isEqualTo(1);
		}
	}

	private String book(String name) {
		String made = String.valueOf(this.client
			.send(HttpMethod.POST, this.person.token(), "/api/contact-books", "{\"name\":\"" + name + "\"}")
			.expectBody(String.class)
			.returnResult()
			.getResponseBody());
		return "/api/contact-books/" + JsonPath.<String>read(made, "$.data.contactBook.id") + "/contacts";
	}

	private WebTestClient.ResponseSpec imported(String file) {
		return imported(this.contacts, file);
	}

	private WebTestClient.ResponseSpec imported(String path, String file) {
		return post(path + "/import", file);
	}

	private WebTestClient.ResponseSpec post(String path, String file) {
		return this.client.web()
			.post()
			.uri(path)
			.headers((headers) -> headers.setBearerAuth(this.person.token()))
			.contentType(CSV)
			.bodyValue(file)
			.exchange();
	}

	private String exported(String path) {
		return String.valueOf(this.client.web()
			.get()
			.uri(path + "/export")
			.headers((headers) -> headers.setBearerAuth(this.person.token()))
			.accept(CSV)
			.exchange()
			.expectStatus()
			.isOk()
			.expectHeader()
			.contentTypeCompatibleWith(CSV)
			.expectBody(String.class)
			.returnResult()
			.getResponseBody());
	}

	private WebTestClient.ResponseSpec get(String query) {
		return this.client.get(this.person.token(), this.contacts + query);
	}

	private static String many(int count) {
		return IntStream.range(0, count)
			.mapToObj("many%d@b.test,Name"::formatted)
			.collect(Collectors.joining("\n", "email,first_name\n", "\n"));
	}

	private static void refused(WebTestClient.ResponseSpec answer, int status, String error) {
		answer.expectStatus().isEqualTo(status).expectBody().jsonPath("$.error").isEqualTo(error);
	}

}

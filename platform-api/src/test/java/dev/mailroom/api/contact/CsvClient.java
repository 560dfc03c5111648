package dev.mailroom.api.contact;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.jayway.jsonpath.JsonPath;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;

import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;

/** Imports and exports contacts as a user with an empty contact book. */
final class CsvClient {

	static final MediaType CSV = new MediaType("text", "csv");

	final Client http;

	final Person person;

	/** The path of the book's contacts. */
	final String contacts;

	CsvClient(Client http, Person person) {
		this.http = http;
		this.person = person;
		this.contacts = createBook("Friends");
	}

	/** Creates a book and returns the path of its contacts. */
	String createBook(String name) {
		String created = String.valueOf(this.http
			.send(HttpMethod.POST, this.person.token(), "/api/contact-books", "{\"name\":\"" + name + "\"}")
			.expectBody(String.class)
			.returnResult()
			.getResponseBody());
		return "/api/contact-books/" + JsonPath.<String>read(created, "$.data.contactBook.id") + "/contacts";
	}

	WebTestClient.ResponseSpec importFile(String file) {
		return importFile(this.contacts, file);
	}

	WebTestClient.ResponseSpec importFile(String path, String file) {
		return post(path + "/import", file);
	}

	WebTestClient.ResponseSpec post(String path, Object file) {
		return request(path).bodyValue(file).exchange();
	}

	WebTestClient.ResponseSpec importWithKey(String key, String file) {
		return request(this.contacts + "/import").header("Idempotency-Key", key).bodyValue(file).exchange();
	}

	String export(String path) {
		return String.valueOf(this.http.web()
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

	WebTestClient.ResponseSpec list(String query) {
		return this.http.get(this.person.token(), this.contacts + query);
	}

	/** A file of distinct contacts. */
	static String file(int count) {
		return IntStream.range(0, count)
			.mapToObj("many%d@b.test,Name"::formatted)
			.collect(Collectors.joining("\n", "email,first_name\n", "\n"));
	}

	static void refused(WebTestClient.ResponseSpec response, int status, String error) {
		response.expectStatus().isEqualTo(status).expectBody().jsonPath("$.error").isEqualTo(error);
	}

	private WebTestClient.RequestBodySpec request(String path) {
		return this.http.web()
			.post()
			.uri(path)
			.headers((headers) -> headers.setBearerAuth(this.person.token()))
			.contentType(CSV);
	}

}

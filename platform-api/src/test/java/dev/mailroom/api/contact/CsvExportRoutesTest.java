package dev.mailroom.api.contact;

import java.util.UUID;

import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpMethod;

import static dev.mailroom.api.contact.CsvClient.refused;
import static org.assertj.core.api.Assertions.assertThat;

@WithApi
class CsvExportRoutesTest {

	private final CsvClient client;

	@Autowired
	CsvExportRoutesTest(Client http, Person person) {
		this.client = new CsvClient(http, person);
	}

	@Test
	void formulasAreEscapedAndAnImportRestoresTheContacts() {
		String json = """
				[{"email":"=cmd@b.test","firstName":"=1+1","lastName":"@x","properties":{"k":{"n":[1,"a,b"]}}},
				 {"email":"zoe@b.test","firstName":"Zoë \\"Z\\"","subscribed":false}]
				""";
		this.client.http.send(HttpMethod.POST, this.client.person.token(), this.client.contacts + "/bulk", json)
			.expectStatus()
			.isOk();
		String file = this.client.export(this.client.contacts);
		assertThat(file).startsWith("email,first_name,last_name,subscribed,properties\r\n")
			.contains("'=cmd@b.test,'=1+1,'@x,true,", "zoe@b.test,\"Zoë \"\"Z\"\"\",,false,{}");
		String copy = this.client.createBook("Copy");
		this.client.importFile(copy, file)
			.expectBody()
			.jsonPath("$.data.count")
			.isEqualTo(2)
			.jsonPath("$.data.failed")
			.isEqualTo(0);
		assertThat(this.client.export(copy).lines().sorted().toList()).isEqualTo(file.lines().sorted().toList());
	}

	@Test
	void formulasInFullWidthAreEscaped() {
		String json = """
				[{"email":"a@b.test","firstName":"\uff1d1+1","properties":{}},
				 {"email":"c@b.test","firstName":"\uff20x"}]
				""";
		this.client.http.send(HttpMethod.POST, this.client.person.token(), this.client.contacts + "/bulk", json)
			.expectStatus()
			.isOk();
		assertThat(this.client.export(this.client.contacts)).contains("'\uff1d1+1", "'\uff20x");
	}

	@Test
	void anEmptyBookIsExportedAsTheHeader() {
		assertThat(this.client.export(this.client.contacts))
			.isEqualTo("email,first_name,last_name,subscribed,properties\r\n");
	}

	@Test
	void anExportOfAnUnknownBookIsNotFound() {
		refused(this.client.http.get(this.client.person.token(),
				"/api/contact-books/" + UUID.randomUUID() + "/contacts/export"), 404, "Contact book not found");
	}

}

package dev.mailroom.api.domain;

import dev.mailroom.Given;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;

@WithApi
class DomainTransportTest {

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	@Test
	void theTransportOfADomainIsShownAndValidated() {
		Client client = new Client(this.port);
		Person person = Person.in(this.context);
		String path = "/api/domains/" + Given.domain(person.account());
		client.get(person.token(), path)
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.data.domain.transport")
			.isEqualTo("default")
			.jsonPath("$.data.domain.require_tls")
			.isEqualTo(false);
		client.send(HttpMethod.PATCH, person.token(), path, "{\"transport\":\"mx\",\"requireTls\":true}")
			.expectStatus()
			.isForbidden()
			.expectBody()
			.jsonPath("$.error")
			.isEqualTo("Forbidden");
		client.send(HttpMethod.PATCH, person.token(), path, "{\"transport\":\"default\",\"requireTls\":true}")
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.data.domain.transport")
			.isEqualTo("default")
			.jsonPath("$.data.domain.require_tls")
			.isEqualTo(true);
		client.send(HttpMethod.PATCH, person.token(), path, "{\"transport\":\"pigeon\"}")
			.expectStatus()
			.isBadRequest()
			.expectBody()
			.jsonPath("$.error")
			.isEqualTo("Invalid request data");
	}

}

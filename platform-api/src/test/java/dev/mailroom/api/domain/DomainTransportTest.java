package dev.mailroom.api.domain;

import dev.mailroom.Given;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpMethod;

@WithApi
class DomainTransportTest {

	@Autowired
	Client client;

	@Autowired
	Person person;

	@Test
	void theTransportOfADomainIsShownAndValidated() {
		String path = "/api/domains/" + Given.domain(this.person.account());
		this.client.get(this.person.token(), path)
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.data.domain.transport")
			.isEqualTo("default")
			.jsonPath("$.data.domain.require_tls")
			.isEqualTo(false);
		this.client.send(HttpMethod.PATCH, this.person.token(), path, "{\"transport\":\"mx\",\"requireTls\":true}")
			.expectStatus()
			.isForbidden()
			.expectBody()
			.jsonPath("$.error")
			.isEqualTo("Forbidden");
		this.client.send(HttpMethod.PATCH, this.person.token(), path, "{\"transport\":\"default\",\"requireTls\":true}")
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.data.domain.transport")
			.isEqualTo("default")
			.jsonPath("$.data.domain.require_tls")
			.isEqualTo(true);
		this.client.send(HttpMethod.PATCH, this.person.token(), path, "{\"transport\":\"pigeon\"}")
			.expectStatus()
			.isBadRequest()
			.expectBody()
			.jsonPath("$.error")
			.isEqualTo("Invalid request data");
	}

}

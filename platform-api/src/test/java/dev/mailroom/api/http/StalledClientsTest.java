package dev.mailroom.api.http;

import java.io.IOException;

import dev.mailroom.Await;
import dev.mailroom.StalledClients;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.TestPropertySource;

@WithApi
@TestPropertySource(properties = { "mailroom.in-flight-bytes=8000000", "mailroom.http.read-timeout=10m" })
class StalledClientsTest {

	@LocalServerPort
	int port;

	@Autowired
	Client client;

	@Autowired
	Person person;

	@Test
	void clientsThatStallUseUpTheMemoryOfTheirOwnNetworksOnly() throws IOException {
		String login = "{\"email\":\"" + this.person.email() + "\",\"password\":\"" + Person.PASSWORD + "\"}";
		try (StalledClients stalled = new StalledClients(this.port, "/api/auth/login")) {
			Await.until("the memory of a network is used up", () -> stalled.isRefused(login));
			this.client.post("/api/auth/login", login).expectStatus().isOk();
		}
	}

}

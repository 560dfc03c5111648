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

import static org.assertj.core.api.Assertions.assertThat;

@WithApi
@TestPropertySource(properties = { "mailroom.in-flight-bytes=8000000", "mailroom.http.read-timeout=10m",
		"mailroom.http.write-timeout=10m" })
class StalledClientsTest {

	/** A response of half a megabyte to everybody. */
	private static final String LARGE = "/openapi.yaml";

	/** More responses of that size than the buffers of a connection hold. */
	private static final int REQUESTS = 30;

	@LocalServerPort
	int port;

	@Autowired
	Client client;

	@Autowired
	Person person;

	@Test
	void clientsThatStallUseUpTheMemoryOfTheirOwnNetworksOnly() throws IOException {
		String login = "{\"email\":\"" + this.person.email() + "\",\"password\":\"" + Person.PASSWORD + "\"}";
		try (StalledClients stalled = StalledClients.senders(this.port, "/api/auth/login")) {
			Await.until("the memory of a network is used up", () -> stalled.isRefused(login));
			this.client.post("/api/auth/login", login).expectStatus().isOk();
		}
	}

	@Test
	void clientsThatDoNotReadUseUpTheMemoryForResponsesOfTheirOwnNetworksOnly() throws IOException {
		try (StalledClients first = StalledClients.readers(this.port, LARGE, 1, 1, REQUESTS)) {
			Await.until("the memory of a network is used up", () -> first.status(1) == 503);
			assertThat(first.status(2)).isEqualTo(200);
			try (StalledClients others = StalledClients.readers(this.port, LARGE, 3, 10, REQUESTS)) {
				Await.until("the memory of all networks is used up", () -> others.status(20) == 503);
				this.client.web().get().uri("/u/nothing").exchange().expectStatus().isNotFound();
				this.client.get(this.person.token(), "/api/domains").expectStatus().isOk();
			}
			Await.until("the memory of closed connections is free", () -> first.status(20) == 200);
		}
		try (StalledClients none = StalledClients.readers(this.port, LARGE, 1, 0, 0)) {
			Await.until("the memory of the network is free", () -> none.status(1) == 200);
		}
	}

}

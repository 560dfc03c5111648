package dev.mailroom.api.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithLimitedApi;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

@WithLimitedApi
class ResponseBytesTest {

	private static final String PATH = "/api/templates?limit=100";

	@LocalServerPort
	int port;

	@Autowired
	Client client;

	@Autowired
	Person person;

	@Autowired
	ApplicationContext context;

	@Test
	void responsesThatAreNotReadAreLimitedAndTheirConnectionsClosed() throws IOException {
		templates(32);
		try (Socket socket = new Socket()) {
			socket.setReceiveBufferSize(16 * 1024);
			socket.connect(new InetSocketAddress("localhost", this.port));
			socket.getOutputStream()
				.write(("GET " + PATH + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + this.person.token()
						+ "\r\n\r\n")
					.getBytes(StandardCharsets.US_ASCII));
			assertThat(socket.getInputStream().read()).as("the beginning of the response").isEqualTo('H');
			this.client.get(this.person.token(), PATH)
				.expectStatus()
				.isEqualTo(503)
				.expectHeader()
				.exists("Retry-After");
			this.client.get(Person.in(this.context).token(), PATH).expectStatus().isOk();
			Await.untilAsserted(() -> this.client.get(this.person.token(), PATH).expectStatus().isOk());
		}
	}

	@Test
	void aResponseBeyondTheShareOfTheAccountIsRefusedAndSmallOnesAreNot() {
		templates(60);
		this.client.get(this.person.token(), PATH)
			.expectStatus()
			.isEqualTo(503)
			.expectHeader()
			.exists("Retry-After")
			.expectBody()
			.jsonPath("$.error")
			.isEqualTo("Service unavailable");
		this.client.get(this.person.token(), "/api/templates?limit=10").expectStatus().isOk();
	}

	/** Templates of a quarter of a megabyte each. */
	private void templates(int count) {
		Given.run("""
				insert into template (id, account_id, name, html_content, variables, created_at, updated_at)
				select gen_random_uuid(), '%s', 'large ' || n, repeat('x', 250000), '{}', now(), now()
				  from generate_series(1, %d) n
				""", this.person.account(), count);
	}

}

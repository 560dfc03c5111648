package dev.mailroom.admin.graphql;

import java.io.IOException;
import java.util.Map;

import dev.mailroom.Await;
import dev.mailroom.StalledClients;
import dev.mailroom.admin.GraphQl;
import dev.mailroom.admin.Person;
import dev.mailroom.admin.WithAdmin;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.TestPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

@WithAdmin
@TestPropertySource(properties = { "mailroom.in-flight-bytes=8000000", "mailroom.http.read-timeout=10m" })
class StalledClientsTest {

	private static final String SIGN_IN = "mutation($i: SignInInput!) { signIn(input: $i) { accessToken } }";

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	@Test
	void clientsThatStallUseUpTheMemoryOfTheirOwnNetworksOnly() throws IOException {
		Person person = Person.in(this.context);
		Map<String, Object> input = Map.of("i", Map.of("email", person.email(), "password", Person.PASSWORD));
		try (StalledClients stalled = new StalledClients(this.port, "/graphql")) {
			Await.until("the memory of a network is used up", () -> stalled.isRefused(GraphQl.body(SIGN_IN, input)));
			assertThat(GraphQl.at(this.port).data(SIGN_IN, input).path("signIn").path("accessToken").asString(""))
				.isNotEmpty();
		}
	}

}

package dev.mailroom.admin.graphql;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.test.context.TestPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

@WithAdmin
@TestPropertySource(properties = { "mailroom.in-flight-bytes=8000000", "mailroom.http.read-timeout=10m",
		"mailroom.http.write-timeout=10m" })
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
		try (StalledClients stalled = StalledClients.senders(this.port, "/graphql")) {
			Await.until("the memory of a network is used up", () -> stalled.isRefused(GraphQl.body(SIGN_IN, input)));
			assertThat(GraphQl.at(this.port).data(SIGN_IN, input).path("signIn").path("accessToken").asString(""))
				.isNotEmpty();
		}
	}

	@Test
	void clientsThatDoNotReadUseUpTheMemoryForFilesOfTheirOwnNetworksOnly() throws IOException {
		String file = largestFile();
		List<StalledClients> clients = new ArrayList<>();
		try {
			Await.until("the memory of a network is used up", () -> {
				clients.add(StalledClients.readers(this.port, file, 1, 1, 50));
				return clients.getLast().status(1) == 503;
			});
			assertThat(clients.getLast().status(2)).isEqualTo(200);
		}
		finally {
			for (StalledClients each : clients) {
				each.close();
			}
		}
		try (StalledClients none = StalledClients.readers(this.port, file, 1, 0, 0)) {
			Await.until("the memory of the network is free", () -> none.status(1) == 200);
		}
	}

	/** The path of the largest file of the web app. */
	private static String largestFile() throws IOException {
		Resource largest = null;
		for (Resource file : new PathMatchingResourcePatternResolver().getResources("classpath:/webapp/assets/*.js")) {
			largest = (largest == null || file.contentLength() > largest.contentLength()) ? file : largest;
		}
		assertThat(largest).isNotNull();
		assertThat(largest.contentLength()).isGreaterThan(100_000);
		return "/assets/" + largest.getFilename();
	}

}

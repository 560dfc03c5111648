package dev.mailroom.admin.graphql;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.admin.GraphQl;
import dev.mailroom.admin.Person;
import dev.mailroom.admin.WithAdmin;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

@WithAdmin
class ResponseBytesTest {

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	@Test
	void aResponseThatIsNotReadUsesTheMemoryOfItsAccountOnly() throws IOException {
		Person person = Person.in(this.context);
		String one = content(mail(person), "a");
		GraphQl client = GraphQl.at(this.port).as(person);
		try (Socket reader = new Socket()) {
			reader.setReceiveBufferSize(16 * 1024);
			reader.connect(new InetSocketAddress("localhost", this.port));
			reader.getOutputStream().write(request(person));
			assertThat(reader.getInputStream().read()).as("the beginning of the response").isEqualTo('H');
			client.post(one).expectStatus().isEqualTo(503).expectHeader().exists("Retry-After");
			Person other = Person.in(this.context);
			GraphQl.at(this.port).as(other).post(content(mail(other), "a")).expectStatus().isOk();
		}
		Await.untilAsserted(() -> client.post(one).expectStatus().isOk());
	}

	/** A request for four mebibytes. */
	private static byte[] request(Person person) {
		String body = content(mail(person), "a", "b", "c", "d");
		return ("POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
				+ body.length() + "\r\nAuthorization: Bearer " + person.token() + "\r\n\r\n" + body)
			.getBytes(StandardCharsets.US_ASCII);
	}

	/** The body of a request for the content of a mail under several names. */
	private static String content(UUID mail, String... names) {
		return GraphQl.body(Stream.of(names)
			.map((name) -> name + ": emailContent(id: \"" + mail + "\") { html }")
			.collect(Collectors.joining(" ", "{ viewer { ", " } }")), Map.of());
	}

	private static UUID mail(Person person) {
		UUID mail = Given.mail(Scope.of(person.account(), Given.domain(person.account()), person.account()),
				"a@b.test");
		Given.run("update email_content set html = repeat('x', 1048576) where email_id = '%s'", mail);
		return mail;
	}

}

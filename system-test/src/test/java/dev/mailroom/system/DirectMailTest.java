package dev.mailroom.system;

import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.mailroom.Await;
import dev.mailroom.domain.TestDns;
import dev.mailroom.process.Mailroom;
import dev.mailroom.process.Web;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Mail that a standalone sends to the recipients' servers, verified by mailauth. */
@Tag("nightly")
class DirectMailTest {

	private static final Duration TIMEOUT = Duration.ofMinutes(1);

	/** Each field for reports is signed, and so is the absence of a further one. */
	private static final String REPORTS = ":feedback-id:feedback-id:cfbl-address:cfbl-address:"
			+ "cfbl-feedback-id:cfbl-feedback-id;";

	/** Text records as docs/operations.md says how to find them. */
	private static final String RECORDS = """
			select selector || '._domainkey.' || name, 'v=DKIM1; k=' || split_part(algorithm, '-', 1) || '; p=' || public_key
			  from dkim_key join domain on domain.id = domain_id
			""";

	@TempDir
	private Path temporary;

	@Test
	void theSignaturesOfTenantAndPlatformAreValidAndCoverTheFieldsForReports() throws Exception {
		String port = Integer.toString(freePort());
		Path data = this.temporary.resolve("data");
		try (TestDns dns = new TestDns();
				Mailroom mailroom = Mailroom.begin(data,
						Map.of("MAILROOM_DNS_SERVERS", dns.address(), "MAILROOM_CATCHER_PORT", port, "MAILROOM_MX_PORT",
								port, "MAILROOM_MX_PRIVATE_ADDRESSES", "true", "MAILROOM_TRANSPORT", "mx",
								"MAILROOM_PLATFORM_DOMAIN", "platform.test"))) {
			dns.publish("A", "y.test", "127.0.0.1");
			String raw = received(mailroom.ready());
			Map<String, String> records = records(mailroom, data);
			assertThat(MailAuth.verify(this.temporary, raw, records)).containsExactlyInAnyOrder(
					"rsa-sha256 x.test aligned pass", "ed25519-sha256 x.test aligned pass",
					"rsa-sha256 platform.test pass");
			assertThat(raw.replaceAll("\\s+", "").split("DKIM-Signature:", -1)).hasSize(4)
				.satisfies(
						(parts) -> assertThat(List.of(parts).subList(1, 4)).allMatch((part) -> part.contains(REPORTS)));
			for (String name : List.of("Feedback-ID", "CFBL-Address", "CFBL-Feedback-ID")) {
				assertThat(raw.lines().filter((line) -> line.startsWith(name + ": "))).as(name).hasSize(1);
				assertThat(MailAuth.verify(this.temporary, name + ": added\r\n" + raw, records))
					.as("with a second " + name)
					.hasSize(3)
					.allMatch((line) -> line.endsWith(" fail"));
			}
		}
	}

	private static String received(Mailroom mailroom) throws Exception {
		try (Web api = new Web(mailroom.port("API")); Web mailbox = new Web(mailroom.port("Mailbox"))) {
			api.use(api
				.post("/api/auth/login",
						"{\"email\": \"%s\", \"password\": \"%s\"}".formatted(mailroom.word("Operator"),
								mailroom.word("Password")))
				.json(200)
				.at("/data/access_token")
				.stringValue());
			String domain = api.post("/api/domains", "{\"name\": \"x.test\"}")
				.json(201)
				.at("/data/domain/id")
				.stringValue();
			api.post("/api/domains/" + domain + "/verify", "").json(200);
			api.use(api.post("/api/api-keys", "{\"domainId\": \"%s\", \"keyName\": \"x\"}".formatted(domain))
				.json(201)
				.at("/data/apiKey/key")
				.stringValue());
			api.post("/api/emails", """
					{"from": "ada@x.test", "to": "one@y.test", "subject": "Note G", "text": "It weaves."}""").json(200);
			Await.until("the mail arrives", TIMEOUT,
					() -> !mailbox.get("/messages?to=one@y.test").json(200).get("messages").isEmpty());
			String id = mailbox.get("/messages?to=one@y.test").json(200).at("/messages/0/id").stringValue();
			return mailbox.get("/messages/" + id + "/raw").body();
		}
	}

	private static Map<String, String> records(Mailroom mailroom, Path data) throws Exception {
		Map<String, String> records = new HashMap<>();
		try (Connection database = DriverManager.getConnection(
				"jdbc:postgresql://127.0.0.1:" + mailroom.port("PostgreSQL") + "/mailroom", "postgres",
				Files.readString(data.resolve("secrets/postgres-superuser")).strip());
				ResultSet rows = database.createStatement().executeQuery(RECORDS)) {
			while (rows.next()) {
				records.put(rows.getString(1), rows.getString(2));
			}
		}
		return records;
	}

	private static int freePort() throws Exception {
		try (ServerSocket free = new ServerSocket(0)) {
			return free.getLocalPort();
		}
	}

}

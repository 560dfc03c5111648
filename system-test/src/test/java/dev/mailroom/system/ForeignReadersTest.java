package dev.mailroom.system;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.mailroom.Await;
import dev.mailroom.process.Mailroom;
import dev.mailroom.process.Web;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Messages read and verified by third-party programs. */
@Order(Integer.MAX_VALUE - 2)
@ExtendWith(SharedMailroom.class)
class ForeignReadersTest {

	private static final Duration TIMEOUT = Duration.ofMinutes(1);

	private static final String LONG_TEXT = "Zeile für Zeile ".repeat(200).strip();

	@TempDir
	private static Path temporary;

	private static Web api;

	private static Web mailbox;

	private static String person;

	@BeforeAll
	static void start(SharedMailroom.Running shared) throws Exception {
		Mailroom mailroom = shared.mailroom();
		api = new Web(mailroom.port("API"));
		mailbox = new Web(mailroom.port("Mailbox"));
		String operator = """
				{"email": "%s", "password": "%s"}""".formatted(mailroom.word("Operator"), mailroom.word("Password"));
		person = api.post("/api/auth/login", operator).json(200).at("/data/access_token").stringValue();
	}

	@AfterAll
	static void stop() {
		api.close();
		mailbox.close();
	}

	@Test
	void aMailWithAllFeaturesIsParsedUnchanged() throws Exception {
		String domain = verified("whole.test");
		String raw = send(domain, "whole.test", """
				{"from": "Zoë Grün <zoe@whole.test>", "to": "Ünal <one@y.test>", "cc": "two@y.test",
				 "bcc": "three@y.test", "reply_to": "Antwort <back@whole.test>", "subject": "Grüße 🎈 aus Köln",
				 "text": "%1$s\\nπ ≈ 3,14", "html": "<p>%1$s</p><img src=\\"cid:logo\\">",
				 "headers": {"List-Unsubscribe": "<https://whole.test/u/1>"},
				 "attachments": [{"filename": "логотип.svg", "content": "%2$s", "content_type": "image/svg+xml",
				   "content_id": "logo"}, {"filename": "résumé.txt", "content": "%2$s", "content_type": "text/plain"}]}
				""".formatted(LONG_TEXT, Base64.getEncoder().encodeToString("Süß".getBytes(StandardCharsets.UTF_8))),
				"one@y.test");
		assertThat(raw.lines()).allMatch((line) -> line.getBytes(StandardCharsets.UTF_8).length <= 998);
		assertThat(raw).doesNotContain("three@y.test").containsPattern("(?i)h=[^;]*from:\\s*from:");
		assertThat(raw.replaceAll("\\s", "")).contains("list-unsubscribe:");
		assertVerified(raw, published(domain), "whole.test");
		JsonNode read = Readers.read(temporary, raw);
		assertThat(read.at("/from")).hasToString("{\"address\":\"zoe@whole.test\",\"name\":\"Zoë Grün\"}");
		assertThat(read.at("/to/0/name").stringValue()).isEqualTo("Ünal");
		assertThat(read.at("/cc/0/address").stringValue()).isEqualTo("two@y.test");
		assertThat(read.at("/bcc").isMissingNode()).isTrue();
		assertThat(read.at("/replyTo/0/address").stringValue()).isEqualTo("back@whole.test");
		assertThat(read.at("/subject").stringValue()).isEqualTo("Grüße 🎈 aus Köln");
		assertThat(read.at("/messageId").stringValue()).matches("<.+@whole.test>");
		assertThat(read.at("/date").stringValue()).isNotEmpty();
		assertThat(read.at("/text").stringValue().strip()).isEqualTo(LONG_TEXT + "\nπ ≈ 3,14");
		assertThat(read.at("/html").stringValue().strip()).isEqualTo("<p>" + LONG_TEXT + "</p><img src=\"cid:logo\">");
		assertFile(read.at("/attachments/0"), "логотип.svg", "image/svg+xml", "inline");
		assertThat(read.at("/attachments/0/contentId").stringValue()).isEqualTo("<logo>");
		assertThat(read.at("/attachments/0/related").booleanValue()).isTrue();
		assertFile(read.at("/attachments/1"), "résumé.txt", "text/plain", "attachment");
	}

	@Test
	void signaturesAreValidThroughoutAKeyRotation() throws Exception {
		String domain = verified("turn.test");
		Map<String, String> old = published(domain);
		api.post("/api/domains/" + domain + "/dkim/rotate", "").json(200);
		Map<String, String> both = published(domain);
		assertThat(both).containsAllEntriesOf(old).hasSize(old.size() + 2);
		String between = send(domain, "turn.test", mail("turn.test", "between@y.test"), "between@y.test");
		assertVerified(between, old, "turn.test");
		String next = verified("next.test");
		old = published(next);
		api.post("/api/domains/" + next + "/dkim/rotate", "").json(200);
		api.post("/api/domains/" + next + "/verify", "").json(200);
		Map<String, String> renewed = published(next);
		assertThat(renewed).hasSameSizeAs(old).isNotEqualTo(old);
		String after = send(next, "next.test", mail("next.test", "after@y.test"), "after@y.test");
		assertVerified(after, renewed, "next.test");
		assertThat(MailAuth.verify(temporary, after, old)).noneMatch((line) -> line.endsWith(" pass"));
	}

	private static void assertVerified(String raw, Map<String, String> dns, String domain) throws Exception {
		assertThat(MailAuth.verify(temporary, raw, dns)).containsExactlyInAnyOrder(
				"rsa-sha256 " + domain + " aligned pass", "ed25519-sha256 " + domain + " aligned pass");
		if (Readers.hasOpenDkim()) {
			assertThat(Readers.openDkim(temporary, raw, dns)).contains("header.a=rsa-sha256", "header.a=ed25519-sha256")
				.containsOnlyOnce("succeeded")
				.doesNotContain("dkim=fail", "dkim=perm", "dkim=temp");
		}
	}

	private static void assertFile(JsonNode file, String name, String type, String disposition) {
		assertThat(List.of(file.get("filename").stringValue(), file.get("mimeType").stringValue(),
				file.get("disposition").stringValue(), file.get("content").stringValue()))
			.containsExactly(name, type, disposition, "Süß");
	}

	private static String mail(String domain, String to) {
		return """
				{"from": "ada@%s", "to": "%s", "subject": "Note G", "text": "It weaves."}""".formatted(domain, to);
	}

	private static String verified(String name) throws Exception {
		api.use(person);
		String id = api.post("/api/domains", "{\"name\": \"%s\"}".formatted(name))
			.json(201)
			.at("/data/domain/id")
			.stringValue();
		api.post("/api/domains/" + id + "/verify", "").json(200);
		return id;
	}

	/** TXT records that the owner publishes in DNS, by host. */
	private static Map<String, String> published(String domain) throws Exception {
		api.use(person);
		Map<String, String> texts = new HashMap<>();
		for (JsonNode record : api.get("/api/domains/" + domain).json(200).at("/data/domain/records")) {
			if (record.get("type").stringValue().equals("TXT")) {
				texts.put(record.get("host").stringValue(), record.get("value").stringValue());
			}
		}
		return texts;
	}

	/** Sends a mail and returns the received message. */
	private static String send(String domain, String keyName, String body, String to) throws Exception {
		api.use(person);
		String key = api.post("/api/api-keys", "{\"domainId\": \"%s\", \"keyName\": \"%s\"}".formatted(domain, keyName))
			.json(201)
			.at("/data/apiKey/key")
			.stringValue();
		api.use(key);
		api.post("/api/emails", body).json(200);
		api.use(person);
		Await.until("the mail to " + to + " arrives", TIMEOUT,
				() -> !mailbox.get("/messages?to=" + to).json(200).get("messages").isEmpty());
		String id = mailbox.get("/messages?to=" + to).json(200).at("/messages/0/id").stringValue();
		return mailbox.get("/messages/" + id + "/raw").body();
	}

}

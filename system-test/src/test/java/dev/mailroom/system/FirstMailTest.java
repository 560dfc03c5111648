package dev.mailroom.system;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.mailroom.Await;
import dev.mailroom.process.Mailroom;
import dev.mailroom.process.Web;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Journey of a new user from an empty machine to the first received mail. */
@ExtendWith(SharedMailroom.class)
class FirstMailTest {

	private static final Duration DELIVERY_TIMEOUT = Duration.ofSeconds(60);

	private static final Pattern TOKEN = Pattern.compile("token=([^\\s&]+)");

	private static final String ATTACHMENT = Base64.getEncoder()
		.encodeToString("seven lines of poetry".getBytes(StandardCharsets.UTF_8));

	private static final Map<String, String> BROWSER = Map.of("User-Agent",
			"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0");

	/** Longer than the interval in which traces are exported. */
	private static final Duration EXPORT_TIMEOUT = Duration.ofSeconds(30);

	@TempDir
	private static Path temporary;

	private static Collector collector;

	private static Mailroom mailroom;

	private static Web api;

	private static Web mailbox;

	@BeforeAll
	static void start(SharedMailroom.Running shared) {
		mailroom = shared.mailroom();
		collector = shared.collector();
		api = new Web(mailroom.port("API"));
		mailbox = new Web(mailroom.port("Mailbox"));
	}

	@AfterAll
	static void stop() {
		api.close();
		mailbox.close();
	}

	@Test
	void aNewUserRegistersAndSendsAMail() throws Exception {
		signUp("ada@x.test", "correct horse battery");
		String domain = verifiedDomain("x.test");
		Map<String, String> dns = published(domain);
		String key = createKey(domain);
		registerLoopbackWebhook();
		api.use(key);
		String id = api
			.post("/api/emails",
					"""
							{"from": "Ada <ada@x.test>", "to": ["grace@y.test"], "cc": ["edsger@y.test"], "bcc": ["alan@y.test"],
							 "subject": "Grüße aus dem Postraum", "text": "Hallo", "html": "<p>Hallo</p>",
							 "attachments": [{"filename": "poem.txt", "content": "%s", "contentType": "text/plain"}],
							 "tags": {"kind": "first"}}
							"""
						.formatted(ATTACHMENT))
			.json(200)
			.get("id")
			.asString();
		JsonNode received = mailFor("grace@y.test");
		assertThat(received.get("mail_from").asString()).endsWith("@bounce.x.test");
		assertThat(received.get("subject").asString()).isEqualTo("Grüße aus dem Postraum");
		assertThat(received.get("text").asString().strip()).isEqualTo("Hallo");
		assertThat(received.get("html").asString()).contains("<p>Hallo</p>");
		assertThat(received.get("headers").get("DKIM-Signature").asString()).contains("d=x.test");
		assertThat(MailAuth.verify(temporary, raw(received), dns))
			.containsExactlyInAnyOrder("rsa-sha256 x.test aligned pass", "ed25519-sha256 x.test aligned pass");
		String changed = raw(received).replace("Subject:", "Subject: no");
		assertThat(MailAuth.verify(temporary, changed, dns)).hasSize(2).allMatch((line) -> line.endsWith(" fail"));
		assertThat(received.get("headers").toString()).contains("edsger@y.test").doesNotContain("alan@y.test");
		assertThat(raw(received)).contains("poem.txt", ATTACHMENT);
		assertThat(raw(mailFor("alan@y.test"))).doesNotContain("alan@y.test");
		awaitDelivery(id);
		assertThat(api.get("/api/analytics/reputation-metrics").json(200).get("delivered").asInt()).isEqualTo(3);
		receiveReply();
		assertThat(mailroom.output()).as("the log")
			.doesNotContain("grace@y.test", "edsger@y.test", "alan@y.test", "ada@x.test", "Postraum", "Splendid", key);
	}

	private static void receiveReply() throws Exception {
		assertThat(Smtp.send(mailroom.port("Inbound"), "grace@y.test", "ada@x.test", """
				From: Grace <grace@y.test>
				To: Ada <ada@x.test>
				Subject: Re: Poetry

				Splendid.
				""")).startsWith("250");
		JsonNode emails = api.get("/api/inbound").json(200).at("/data/emails");
		assertThat(emails).hasSize(1);
		assertThat(emails.get(0).get("subject").asString()).isEqualTo("Re: Poetry");
		assertThat(emails.get(0).get("spam_verdict").asString()).isEqualTo("DISABLED");
		String id = emails.get(0).get("id").asString();
		assertThat(api.get("/api/inbound/" + id).json(200).at("/data/email/text").asString().strip())
			.isEqualTo("Splendid.");
		assertThat(api.get("/api/inbound/" + id + "/raw").body()).contains("From: Grace <grace@y.test>");
		assertThat(Smtp.send(mailroom.port("Inbound"), "grace@y.test", "someone@elsewhere.test", "Subject: x\n\nx\n"))
			.startsWith("550");
	}

	/** The script that {@code helm test} runs in the cluster. */
	@Test
	void theTestOfTheChartEndsWhenItsMailIsDelivered() throws Exception {
		assumeTrue(hasCurl(), "SKIPPED: curl is not installed, the script of helm test is not run");
		signUp("helm@h.test", "correct horse battery");
		String key = createKey(verifiedDomain("h.test"));
		String pod = Files.readString(Path.of("../helm/templates/tests/sandbox.yaml"));
		String script = pod.substring(pod.indexOf("- |\n") + 4, pod.indexOf("      resources:")).stripIndent();
		Path log = temporary.resolve("helm-test.log");
		ProcessBuilder builder = new ProcessBuilder("sh", "-ec", script).redirectErrorStream(true)
			.redirectOutput(log.toFile());
		builder.environment()
			.putAll(Map.of("API", "http://localhost:" + mailroom.port("API") + "/api", "KEY", key, "FROM",
					"helm@h.test", "SANDBOX", "delivered@simulator.mailroom.localhost"));
		Process process = builder.start();
		try {
			assertThat(process.waitFor(DELIVERY_TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
		}
		finally {
			process.destroyForcibly();
		}
		assertThat(process.exitValue()).as(Files.readString(log)).isZero();
		assertThat(log).content().startsWith("accepted: ").endsWith("delivered\n");
	}

	private static boolean hasCurl() {
		return Stream.of(System.getenv("PATH").split(":"))
			.anyMatch((directory) -> Files.isExecutable(Path.of(directory, "curl")));
	}

	@Test
	void opensClicksAndUnsubscriptionsAreRecorded() throws Exception {
		signUp("tim@t.test", "correct horse battery");
		String domain = verifiedDomain("t.test");
		api.patch("/api/domains/" + domain, "{\"open_tracking\": true, \"click_tracking\": true}").json(200);
		createKey(domain);
		String book = api.post("/api/contact-books", "{\"name\": \"Friends\"}")
			.json(201)
			.at("/data/contactBook/id")
			.asString();
		String contacts = "/api/contact-books/" + book + "/contacts";
		api.post(contacts, "{\"email\": \"vint@v.test\"}").json(201);
		String campaign = api
			.post("/api/campaigns",
					"""
							{"name": "News", "from": "Tim <tim@t.test>", "subject": "News", "contact_book_id": "%s",
							 "html_content": "<p><a href=\\"https://example.com/?a=1&amp;b=2\\">News</a> <a href='{{unsubscribe_url}}'>bye</a>"}
							"""
						.formatted(book))
			.json(201)
			.at("/data/campaign/id")
			.asString();
		String id = api.post("/api/campaigns/" + campaign + "/test", "{\"to\": \"vint@v.test\"}")
			.json(200)
			.at("/data/email/id")
			.asString();
		JsonNode received = mailFor("vint@v.test");
		String html = received.get("html").asString();
		assertThat(html).doesNotContain("https://example.com");
		assertThat(api.get(path(html, "/t/o/"), BROWSER).status()).isEqualTo(200);
		assertThat(api.get(path(html, "/t/o/")).status()).as("not a browser").isEqualTo(200);
		// Clicks directly after the delivery are not counted.
		Await.until("the click is counted", DELIVERY_TIMEOUT, Duration.ofMillis(500), () -> {
			assertThat(api.get(path(html, "/t/c/"), BROWSER).status()).isEqualTo(302);
			return api.get("/api/emails/" + id).json(200).get("click_count").asInt() == 1;
		});
		assertThat(api.get("/api/emails/" + id).json(200).get("open_count").asInt()).isEqualTo(1);
		assertThat(api.get("/api/emails/" + id + "/events").body()).contains("email.opened", "email.clicked",
				"https://example.com/?a=1&b=2");
		String raw = raw(received).replaceAll("\r?\n[ \t]+", " ");
		assertThat(raw).contains("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
		String unsubscribe = path(raw.substring(raw.indexOf("\nList-Unsubscribe: <")), "/u/");
		assertThat(unsubscribe).isEqualTo(path(html, "/u/"));
		assertThat(api.get(unsubscribe).body()).contains("Friends");
		assertThat(api.get(contacts).json(200).at("/data/contacts/0/subscribed").asBoolean()).isTrue();
		assertThat(api.post(unsubscribe, "").status()).isEqualTo(200);
		assertThat(api.get(contacts).json(200).at("/data/contacts/0/subscribed").asBoolean()).isFalse();
	}

	@Test
	void aTraceLeadsFromTheRequestToTheSmtpTransactionAndTheWebhookCall() throws Exception {
		signUp("leslie@traced.test", "correct horse battery");
		String domain = verifiedDomain("traced.test");
		registerLoopbackWebhook();
		api.use(createKey(domain));
		String trace = "4bf92f3577b34da6a3ce929d0e0e4736";
		api.post("/api/emails", """
				{"from": "leslie@traced.test", "to": "butler@traced.example", "subject": "Clocks", "text": "Tick"}""",
				Map.of("traceparent", "00-" + trace + "-00f067aa0ba902b7-01"))
			.json(200);
		for (String span : List.of("http post /api/emails", "deliver", "smtp transaction", "webhook call")) {
			Await.until("a span " + span, EXPORT_TIMEOUT, () -> collector.tracesOf(span).contains(trace));
		}
		assertThat(collector.tracesOf("deliver")).as("requests that are not sampled").containsOnly(trace);
		try (Web management = new Web(mailroom.port("Management"))) {
			String metrics = management
				.get("/actuator/prometheus", Map.of("Accept", "application/openmetrics-text; version=1.0.0"))
				.body();
			assertThat(metrics.lines().filter((line) -> line.contains(trace)))
				.anyMatch((line) -> line.startsWith("mailroom_time_to_accept_seconds"))
				.anyMatch((line) -> line.startsWith("mailroom_delivery_phase_seconds"));
		}
	}

	private static String path(String text, String route) {
		Matcher path = Pattern.compile(Pattern.quote(route) + "[A-Za-z0-9_-]+").matcher(text);
		assertThat(path.find()).as(text).isTrue();
		return path.group();
	}

	private static void registerLoopbackWebhook() throws Exception {
		String endpoint = "{\"url\": \"http://%s/hooks\", \"events\": [\"email.delivered\"]}";
		api.post("/api/webhooks/endpoints", endpoint.formatted("127.0.0.1:9999")).json(201);
		assertThat(api.post("/api/webhooks/endpoints", endpoint.formatted("example.com")).status()).isEqualTo(400);
	}

	private static void signUp(String email, String password) throws Exception {
		String person = """
				{"email": "%s", "password": "%s", "name": "Ada"}""".formatted(email, password);
		api.post("/api/auth/register", person).json(201);
		Matcher token = TOKEN.matcher(mailFor(email).get("text").asString());
		assertThat(token.find()).isTrue();
		api.post("/api/auth/verify-email", """
				{"token": "%s"}""".formatted(token.group(1))).json(200);
		JsonNode session = api.post("/api/auth/login", person).json(200).get("data");
		api.use(session.get("access_token").asString());
		assertThat(api.get("/api/auth/me").json(200).at("/data/user/email_verified").asBoolean()).isTrue();
	}

	private static String verifiedDomain(String name) throws Exception {
		JsonNode domain = api.post("/api/domains", """
				{"name": "%s"}""".formatted(name)).json(201).at("/data/domain");
		assertThat(domain.get("status").asString()).isEqualTo("pending");
		String id = domain.get("id").asString();
		assertThat(api.post("/api/domains/" + id + "/verify", "").json(200).at("/data/domain/status").asString())
			.isEqualTo("verified");
		return id;
	}

	/** TXT records that the owner publishes in DNS, by host. */
	private static Map<String, String> published(String domain) throws Exception {
		Map<String, String> texts = new HashMap<>();
		for (JsonNode record : api.get("/api/domains/" + domain).json(200).at("/data/domain/records")) {
			if (record.get("type").asString().equals("TXT")) {
				texts.put(record.get("host").asString(), record.get("value").asString());
			}
		}
		return texts;
	}

	private static String createKey(String domain) throws Exception {
		return api.post("/api/api-keys", """
				{"domainId": "%s", "keyName": "first"}""".formatted(domain))
			.json(201)
			.at("/data/apiKey/key")
			.asString();
	}

	private static JsonNode mailFor(String recipient) throws Exception {
		Await.until("the mail to " + recipient + " arrives", DELIVERY_TIMEOUT, () -> !mailsFor(recipient).isEmpty());
		assertThat(mailsFor(recipient)).hasSize(1);
		return mailsFor(recipient).get(0);
	}

	private static JsonNode mailsFor(String recipient) throws Exception {
		return mailbox.get("/messages?to=" + recipient).json(200).get("messages");
	}

	private static String raw(JsonNode mail) throws Exception {
		return mailbox.get("/messages/" + mail.get("id").asString() + "/raw").body();
	}

	private static void awaitDelivery(String id) throws Exception {
		Await.until("the mail is delivered", DELIVERY_TIMEOUT, () -> status(id).equals("delivered"));
		JsonNode email = api.get("/api/emails/" + id).json(200);
		assertThat(email.get("recipients")).hasSize(3)
			.allSatisfy((recipient) -> assertThat(recipient.get("status").asString()).isEqualTo("delivered"));
		assertThat(email.get("last_event").asString()).isEqualTo("delivered");
		JsonNode logged = api.get("/api/emails/logs?status=delivered").json(200).at("/data/emails/0");
		assertThat(logged.get("id").asString()).isEqualTo(id);
		assertThat(logged.get("subject").asString()).isEqualTo("Grüße aus dem Postraum");
	}

	private static String status(String id) throws Exception {
		return api.get("/api/emails/" + id).json(200).get("status").asString();
	}

}

package dev.mailroom.system;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.sun.net.httpserver.HttpServer;
import dev.mailroom.Await;
import dev.mailroom.process.Mailroom;
import dev.mailroom.process.Web;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.MimeMessage;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Mail and requests of every kind to a standalone. Each round has some of all of them, so
 * that with a round in every second no rate is zero.
 */
final class Traffic implements AutoCloseable {

	/**
	 * A plan with quotas that are not used up, a rate limit that is reached, and no pause
	 * of the account because of its many bounces.
	 */
	static final Map<String, String> SETTINGS = Map.of("MAILROOM_DEFAULT_PLAN", "pro", "MAILROOM_AUTO_PAUSE", "false",
			"MAILROOM_RATE_LIMIT_OTHERS", "1", "MAILROOM_RATE_LIMIT_OTHER_BURST", "30");

	private static final Duration TIMEOUT = Duration.ofMinutes(1);

	private static final String PASSWORD = "correct horse battery";

	private static final String SENDER = "mona@m.test";

	private static final Pattern TOKEN = Pattern.compile("token=([^\\s&]+)");

	/** Path of the picture of an open, or of a link. */
	private static final Pattern TRACKED = Pattern.compile("/t/[oc]/[A-Za-z0-9_-]+");

	/** Recipients of the sandbox, one of each outcome. */
	private static final List<String> OUTCOMES = Stream
		.of("delivered", "bounced", "deferred", "suppressed", "complained", "opened", "clicked")
		.map((outcome) -> outcome + "@simulator.mailroom.localhost")
		.toList();

	private final Mailroom mailroom;

	private final Web api;

	private final Web admin;

	private final Web mailbox;

	private final HttpServer hooks;

	private final String session;

	private final String key;

	/** Key of an account whose quota is used up. */
	private final String usedUp;

	private int rounds;

	Traffic(Mailroom mailroom) throws Exception {
		this.mailroom = mailroom;
		this.api = new Web(mailroom.port("API"));
		this.admin = new Web(mailroom.port("Admin"));
		this.mailbox = new Web(mailroom.port("Mailbox"));
		this.hooks = hooks();
		signedIn("nora@n.test");
		String account = this.api.get("/api/auth/me").json(200).at("/data/user/id").asString();
		this.usedUp = keyOfADomain("n.test");
		limit(account);
		this.session = signedIn(SENDER);
		this.admin.use(this.session);
		this.key = keyOfADomain("m.test");
		endpoint("/");
		endpoint("/down");
		startCampaign();
	}

	/** A server that accepts webhook calls, except those to one path. */
	private static HttpServer hooks() throws IOException {
		HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		server.createContext("/", (call) -> {
			call.getRequestBody().readAllBytes();
			call.sendResponseHeaders(call.getRequestURI().getPath().equals("/down") ? 500 : 204, -1);
			call.close();
		});
		server.start();
		return server;
	}

	/** Registers a person, and sets the access token as that of further requests. */
	private String signedIn(String email) throws Exception {
		this.api.use("");
		String person = json(Map.of("email", email, "password", PASSWORD, "name", "Test"));
		this.api.post("/api/auth/register", person).json(201);
		String token = found(TOKEN, mailTo(email).get("text").asString()).group(1);
		this.api.post("/api/auth/verify-email", json(Map.of("token", token))).json(200);
		String access = this.api.post("/api/auth/login", person).json(200).at("/data/access_token").asString();
		this.api.use(access);
		return access;
	}

	/** Creates a verified domain with tracking. */
	private String keyOfADomain(String name) throws Exception {
		String id = this.api.post("/api/domains", json(Map.of("name", name)))
			.json(201)
			.at("/data/domain/id")
			.asString();
		this.api.post("/api/domains/" + id + "/verify", "").json(200);
		this.api.patch("/api/domains/" + id, json(Map.of("open_tracking", true, "click_tracking", true))).json(200);
		return this.api.post("/api/api-keys", json(Map.of("domainId", id, "keyName", "load")))
			.json(201)
			.at("/data/apiKey/key")
			.asString();
	}

	private void limit(String account) throws Exception {
		String login = json(
				Map.of("email", this.mailroom.word("Operator"), "password", this.mailroom.word("Password")));
		this.admin.use(this.api.post("/api/auth/login", login).json(200).at("/data/access_token").asString());
		JsonNode limited = graphQl("mutation { operatorSetAccountLimits(input: { account: \"" + account
				+ "\", dailyLimit: 0, reason: \"test\" }) { account { id } } }")
			.json(200);
		assertThat(limited.at("/data/operatorSetAccountLimits/account/id").asString()).isEqualTo(account);
	}

	private Web.Answer graphQl(String query) throws Exception {
		return this.admin.post("/graphql", json(Map.of("query", query)));
	}

	private void endpoint(String path) throws Exception {
		String url = "http://localhost:" + this.hooks.getAddress().getPort() + path;
		this.api.post("/api/webhooks/endpoints", json(Map.of("url", url, "events", List.of("email.delivered"))))
			.json(201);
	}

	/** A campaign that lasts longer than the test. */
	private void startCampaign() throws Exception {
		String book = this.api.post("/api/contact-books", json(Map.of("name", "Readers")))
			.json(201)
			.at("/data/contactBook/id")
			.asString();
		String contacts = IntStream.range(0, 500)
			.mapToObj((i) -> json(Map.of("email", "contact-" + i + "@y.test")))
			.collect(Collectors.joining(",", "[", "]"));
		this.api.post("/api/contact-books/" + book + "/contacts/bulk", contacts).json(200);
		String id = this.api
			.post("/api/campaigns",
					json(Map.of("name", "News", "from", SENDER, "subject", "News", "contact_book_id", book,
							"html_content", "<p>News</p>", "pace", 60)))
			.json(201)
			.at("/data/campaign/id")
			.asString();
		this.api.post("/api/campaigns/" + id + "/start", "").json(200);
	}

	/** Sends a few mails and requests of every kind, and reacts to one of the mails. */
	void round() throws Exception {
		this.rounds++;
		String reader = "reader-" + this.rounds + "@y.test";
		send(reader);
		refusedRequests();
		graphQl("mutation { sendEmail(input: { to: [\"" + OUTCOMES.getFirst()
				+ "\"], subject: \"s\", text: \"t\" }, idempotencyKey: \"" + reader + "\") { email { id } } }");
		receive();
		react(mailTo(reader));
	}

	private void send(String reader) throws Exception {
		this.api.use(this.key);
		this.api.post("/api/emails", mail(reader), reader).json(200);
		this.api.post("/api/emails", mail(reader), reader).json(200);
		assertThat(this.api.post("/api/emails", mail("another@y.test"), reader).status()).isEqualTo(409);
		String batch = OUTCOMES.stream().map(Traffic::mail).collect(Collectors.joining(",", "[", "]"));
		this.api.post("/api/emails/batch", batch).json(200);
		submit();
	}

	/** Sends a mail over SMTP, with TLS. */
	private void submit() throws MessagingException {
		Properties settings = new Properties();
		settings.putAll(Map.of("mail.smtp.host", "127.0.0.1", "mail.smtp.port",
				Integer.toString(this.mailroom.port("Submission")), "mail.smtp.auth", "true",
				"mail.smtp.starttls.required", "true", "mail.smtp.ssl.trust", "*", "mail.smtp.ssl.checkserveridentity",
				"false"));
		MimeMessage mail = new MimeMessage(Session.getInstance(settings));
		mail.setFrom(SENDER);
		mail.setRecipients(Message.RecipientType.TO, "somebody@y.test");
		mail.setSubject("Load");
		mail.setText("Hello.");
		Transport.send(mail, "any", this.key);
	}

	private void refusedRequests() throws Exception {
		assertThat(this.api.post("/api/emails", "{}").status()).isEqualTo(400);
		this.api.use(this.usedUp);
		assertThat(this.api.post("/api/emails", mail("somebody@y.test").replace("m.test", "n.test")).status())
			.isEqualTo(429);
		this.api.use("ek_unknown");
		assertThat(this.api.get("/api/emails").status()).isEqualTo(401);
		this.api.use(this.session);
		// Takes hundreds of requests.
		if (this.rounds % 10 == 1) {
			Await.until("the rate is limited", TIMEOUT, Duration.ofMillis(1),
					() -> this.api.get("/api/auth/me").status() == 429);
		}
	}

	/** Mail from another domain in each round, whose records are not in a cache. */
	private void receive() throws Exception {
		String sender = "grace@y" + this.rounds + ".test";
		int port = this.mailroom.port("Inbound");
		assertThat(Smtp.send(port, sender, SENDER, "Subject: Re\n\nFine.\n")).startsWith("250");
		assertThat(Smtp.send(port, sender, "nobody@unknown.test", "Subject: Re\n\nFine.\n")).startsWith("5");
	}

	/**
	 * Opens a mail, clicks its link, and reports it: as undeliverable (RFC 3464) or as
	 * spam (RFC 5965).
	 */
	private void react(JsonNode mail) throws Exception {
		List<String> tracked = TRACKED.matcher(mail.get("html").asString()).results().map(MatchResult::group).toList();
		assertThat(tracked).hasSize(2);
		for (String path : tracked) {
			assertThat(this.api.get(path).status()).isIn(200, 302);
		}
		String report = (this.rounds % 2 == 0) ? report("delivery-status", """
				Reporting-MTA: dns; mx.y.test

				Final-Recipient: rfc822; reader@y.test
				Action: failed
				Status: 5.1.1
				""") : report("feedback-report", """
				Feedback-Type: abuse
				User-Agent: Test/1
				Version: 1
				""");
		assertThat(
				Smtp.send(this.mailroom.port("Inbound"), "postmaster@y.test", mail.get("mail_from").asString(), report))
			.startsWith("250");
	}

	private static String report(String type, String fields) {
		return """
				MIME-Version: 1.0
				Content-Type: multipart/report; report-type=%1$s; boundary=report

				--report
				Content-Type: message/%1$s

				%2$s
				--report--
				""".formatted(type, fields);
	}

	private JsonNode mailTo(String recipient) throws Exception {
		String path = "/messages?to=" + recipient;
		Await.until("the mail to " + recipient + " arrives", TIMEOUT,
				() -> !this.mailbox.get(path).json(200).get("messages").isEmpty());
		return this.mailbox.get(path).json(200).get("messages").get(0);
	}

	private static MatchResult found(Pattern pattern, String text) {
		return pattern.matcher(text).results().findFirst().orElseThrow(() -> new AssertionError(text));
	}

	private static String mail(String recipient) {
		return json(Map.of("from", "Mona <" + SENDER + ">", "to", List.of(recipient), "subject", "Load", "html",
				"<p>Hello <a href='https://example.com/'>you</a></p>"));
	}

	private static String json(Object value) {
		return JsonMapper.shared().writeValueAsString(value);
	}

	@Override
	public void close() {
		this.hooks.stop(0);
		this.mailbox.close();
		this.admin.close();
		this.api.close();
	}

}

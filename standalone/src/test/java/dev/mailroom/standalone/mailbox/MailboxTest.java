package dev.mailroom.standalone.mailbox;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.mailroom.webhook.CallSignature;
import jakarta.mail.Message.RecipientType;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeBodyPart;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class MailboxTest {

	private final HttpClient http = HttpClient.newHttpClient();

	private final MailboxServer mailbox = new MailboxServer(0, 0, "curl it", true);

	@BeforeEach
	void start() {
		this.mailbox.start();
	}

	@AfterEach
	void close() {
		this.mailbox.close();
		this.http.close();
	}

	@Test
	void aSentMailIsListedWithItsContent() throws Exception {
		send("Grüße", "to@x.test", "hidden@x.test");
		JsonNode mail = get("/messages").get("messages").get(0);
		assertThat(mail.get("mail_from").asString()).isEqualTo("from@x.test");
		assertThat(mail.get("rcpt_to").toString()).isEqualTo("[\"to@x.test\",\"hidden@x.test\"]");
		assertThat(mail.get("subject").asString()).isEqualTo("Grüße");
		assertThat(mail.get("text").asString()).isEqualTo("Schöne Grüße");
		assertThat(mail.get("html").asString()).isEqualTo("<p>Schöne Grüße</p>");
		assertThat(mail.get("headers").get("To").asString()).isEqualTo("to@x.test");
		assertThat(mail.get("received_at").asString()).matches("\\d{4}-\\d\\d-\\d\\dT.*Z");
		assertThat(mail.propertyNames()).containsExactly("id", "mail_from", "rcpt_to", "subject", "received_at", "text",
				"html", "headers", "attachments");
		assertThat(mail.get("attachments").toString())
			.isEqualTo("[{\"filename\":\"notes.txt\",\"content_type\":\"text/plain\",\"size\":8}]");
		String attachments = "/messages/" + mail.get("id").asString() + "/attachments/";
		assertThat(request("GET", attachments + "0").body()).isEqualTo("attached");
		assertThat(request("GET", attachments + "1").statusCode()).isEqualTo(404);
		assertThat(request("GET", "/messages/" + mail.get("id").asString() + "/raw").body())
			.contains("Subject: =?UTF-8?");
	}

	@Test
	void messagesAreListedNewestFirstAndFilteredByRecipient() throws Exception {
		send("first", "one@x.test");
		send("second", "two@x.test");
		assertThat(get("/messages").get("messages").valueStream().map((mail) -> mail.get("subject").asString()))
			.containsExactly("second", "first");
		assertThat(get("/messages?to=ONE%40x.test").get("messages")
			.valueStream()
			.map((mail) -> mail.get("subject").asString())).containsExactly("first");
	}

	@Test
	void messagesAreFilteredBySubjectAndTime() throws Exception {
		send("Your code 1234", "one@x.test");
		send("Welcome", "one@x.test");
		assertThat(get("/messages?subject=CODE").get("messages")).hasSize(1);
		assertThat(get("/messages?since=2000-01-01T00:00:00Z").get("messages")).hasSize(2);
		assertThat(get("/messages?since=2999-01-01T00:00:00%2B01:00").get("messages")).isEmpty();
	}

	@Test
	void aListWaitsForAMessageThatMatches() throws Exception {
		assertThat(get("/messages?to=late@x.test&wait=0").get("messages")).isEmpty();
		CompletableFuture<HttpResponse<String>> waiting = this.http.sendAsync(HttpRequest
			.newBuilder(URI.create(
					"http://127.0.0.1:" + this.mailbox.pagePort() + "/messages?to=late@x.test&subject=second&wait=60"))
			.build(), BodyHandlers.ofString());
		send("first", "late@x.test");
		send("second", "other@x.test");
		send("second", "late@x.test");
		assertThat(JsonMapper.shared().readTree(waiting.get(30, TimeUnit.SECONDS).body()).get("messages")).hasSize(1);
		assertThat(get("/messages?to=late@x.test&wait=60").get("messages")).hasSize(2);
		assertThat(get("/messages?to=never@x.test&wait=1").get("messages")).isEmpty();
	}

	@Test
	void messagesOfOneRecipientCanBeDeleted() throws Exception {
		send("stays", "one@x.test");
		send("gone", "two@x.test");
		assertThat(request("DELETE", "/messages?to=two@x.test").statusCode()).isEqualTo(204);
		assertThat(get("/messages").get("messages").valueStream().map((mail) -> mail.get("subject").asString()))
			.containsExactly("stays");
	}

	@Test
	void allMessagesCanBeDeleted() throws Exception {
		send("gone", "one@x.test");
		assertThat(request("DELETE", "/messages").statusCode()).isEqualTo(204);
		assertThat(get("/messages").get("messages")).isEmpty();
	}

	@Test
	void anUnchangedListIsNotModified() throws Exception {
		String etag = request("GET", "/messages").headers().firstValue("ETag").orElseThrow();
		assertThat(request("GET", "/messages", "If-None-Match", etag).statusCode()).isEqualTo(304);
		send("new", "one@x.test");
		assertThat(request("GET", "/messages", "If-None-Match", etag).statusCode()).isEqualTo(200);
	}

	@ParameterizedTest
	@CsvSource({ "localhost:8025,200", "127.0.0.1,200", "[::1]:1,200", "mail.localhost:8025,200",
			"rebound.test:8025,421", "localhost.test,421", "'',421" })
	void onlyNamesOfThisMachineAreServed(String host, int status) throws Exception {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.mailbox.pagePort())) {
			socket.setSoTimeout(30_000);
			socket.getOutputStream()
				.write(("GET /messages HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
					.getBytes(StandardCharsets.US_ASCII));
			assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
				.startsWith("HTTP/1.1 " + status);
		}
	}

	@Test
	void aMessageIsShownInASandbox() throws Exception {
		send("Hello", "one@x.test");
		JsonNode row = get("/mailbox.json").get("messages").get(0);
		assertThat(row.propertyNames()).containsExactly("id", "rcpt_to", "subject", "received_at", "excerpt");
		assertThat(row.get("excerpt").asString()).isEqualTo("Schöne Grüße");
		String path = "/messages/" + row.get("id").asString();
		assertThat(get(path).get("subject").asString()).isEqualTo("Hello");
		HttpResponse<String> html = request("GET", path + "/html");
		assertThat(html.body()).contains("<base target=\"_blank\">", "<p>Schöne Grüße</p>");
		assertThat(html.headers().firstValue("Content-Security-Policy").orElseThrow())
			.startsWith("sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none';");
		assertThat(request("GET", "/messages/none").statusCode()).isEqualTo(404);
		assertThat(request("GET", "/messages/none/html").statusCode()).isEqualTo(404);
	}

	@Test
	void webhookCallsAreAcceptedOrAnsweredWithTheRequestedStatus() throws Exception {
		assertThat(request("POST", "/webhooks/orders").statusCode()).isEqualTo(204);
		assertThat(request("POST", "/webhooks/orders?status=503").statusCode()).isEqualTo(503);
		assertThat(request("POST", "/webhooks/orders?status=9999").statusCode()).isEqualTo(204);
	}

	@Test
	void webhookCallsAreKeptWithTheResultOfTheirVerification() throws Exception {
		String secret = "whsec_" + Base64.getEncoder().encodeToString(new byte[32]);
		String address = "http://127.0.0.1:" + this.mailbox.pagePort() + "/webhooks/orders";
		this.mailbox
			.verifyWith((url) -> Mono.just(url.equals(address) ? List.of("whsec_b3RoZXI=", secret) : List.of()));
		long now = Instant.now().getEpochSecond();
		call("/webhooks/orders", secret, now, "{\"type\":\"email.sent\"}");
		call("/webhooks/orders", "whsec_d3Jvbmc=", now, "{}");
		call("/webhooks/orders", secret, now - 400, "{}");
		call("/webhooks/others", secret, now, "{}");
		request("POST", "/webhooks/orders?status=500");
		JsonNode calls = get("/webhooks").get("calls");
		assertThat(calls.valueStream().map((call) -> call.get("verification").asString())).containsExactly("not signed",
				"no endpoint has this address", "older than five minutes", "wrong signature", "verified");
		assertThat(calls.get(0).get("status").asInt()).isEqualTo(500);
		assertThat(calls.get(4).get("body").asString()).isEqualTo("{\"type\":\"email.sent\"}");
		assertThat(calls.get(4).get("headers").get("webhook-timestamp").asString()).isEqualTo(Long.toString(now));
		assertThat(get("/mailbox.json").get("calls")).hasSize(5);
		request("DELETE", "/messages");
		assertThat(get("/webhooks").get("calls")).isEmpty();
	}

	private void call(String path, String secret, long timestamp, String body) throws Exception {
		String signature = CallSignature.of(List.of(secret), "e1", timestamp, body.getBytes(StandardCharsets.UTF_8));
		this.http.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + this.mailbox.pagePort() + path))
			.headers("webhook-id", "e1", "webhook-timestamp", Long.toString(timestamp), "webhook-signature", signature)
			.POST(HttpRequest.BodyPublishers.ofString(body))
			.build(), BodyHandlers.discarding());
	}

	@Test
	void recipientsAtSomeDomainsAreRefused() throws Exception {
		assertThatExceptionOfType(MessagingException.class).isThrownBy(() -> send("no", "one@gone.example"))
			.withStackTraceContaining("550 5.1.1");
		assertThatExceptionOfType(MessagingException.class).isThrownBy(() -> send("later", "one@greylist.example"))
			.withStackTraceContaining("451 4.7.1");
		send("again", "one@greylist.example");
		assertThat(get("/messages").get("messages")).hasSize(1);
	}

	@Test
	void thePageLoadsNoExternalResources() throws Exception {
		HttpResponse<String> page = request("GET", "/");
		assertThat(page.body()).contains("<title>Mailbox").doesNotContain("http://", "https://", "//cdn");
		assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow()).startsWith("default-src 'none'");
		assertThat(request("GET", "/mailbox.js").statusCode()).isEqualTo(200);
		assertThat(request("GET", "/mailbox.css").statusCode()).isEqualTo(200);
		assertThat(request("GET", "/try").body()).isEqualTo("curl it");
		assertThat(request("GET", "/graphql").statusCode()).isEqualTo(404);
		assertThat(request("GET", "/messages/none/raw").statusCode()).isEqualTo(404);
	}

	private void send(String subject, String... recipients) throws MessagingException {
		MimeMessage mail = new MimeMessage(session());
		mail.setFrom("from@x.test");
		mail.setRecipients(RecipientType.TO, recipients[0]);
		mail.setSubject(subject, "UTF-8");
		MimeBodyPart text = new MimeBodyPart();
		text.setText("Schöne Grüße", "UTF-8");
		MimeBodyPart html = new MimeBodyPart();
		html.setText("<p>Schöne Grüße</p>", "UTF-8", "html");
		MimeBodyPart attachment = new MimeBodyPart();
		attachment.setText("attached", "UTF-8");
		attachment.setFileName("notes.txt");
		mail.setContent(new MimeMultipart(attachment, text, html));
		mail.saveChanges();
		InternetAddress[] addresses = new InternetAddress[recipients.length];
		for (int at = 0; at < recipients.length; at++) {
			addresses[at] = new InternetAddress(recipients[at]);
		}
		Transport.send(mail, addresses);
	}

	private Session session() {
		Properties properties = new Properties();
		properties.setProperty("mail.smtp.host", "127.0.0.1");
		properties.setProperty("mail.smtp.port", Integer.toString(this.mailbox.smtpPort()));
		return Session.getInstance(properties);
	}

	private JsonNode get(String path) throws IOException, InterruptedException {
		return JsonMapper.shared().readTree(request("GET", path).body());
	}

	private HttpResponse<String> request(String method, String path, String... headers)
			throws IOException, InterruptedException {
		HttpRequest.Builder builder = HttpRequest
			.newBuilder(URI.create("http://127.0.0.1:" + this.mailbox.pagePort() + path))
			.method(method, HttpRequest.BodyPublishers.noBody());
		if (headers.length > 0) {
			builder.headers(headers);
		}
		return this.http.send(builder.build(), BodyHandlers.ofString());
	}

}

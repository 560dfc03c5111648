package dev.mailroom.api.email;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import com.jayway.jsonpath.JsonPath;
import dev.mailroom.Given;
import dev.mailroom.account.ApiKeys;
import dev.mailroom.api.Client;
import dev.mailroom.api.WithApi;
import dev.mailroom.api.security.AccountKeys;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.EntityExchangeResult;

import static org.assertj.core.api.Assertions.assertThat;

/** Messages in the format of mail, sent over REST. */
@WithApi
class MimeRoutesTest {

	private static final String SANDBOX = "delivered@simulator.mailroom.localhost";

	@Autowired
	Client client;

	@Autowired
	ApiKeys keys;

	private final UUID account = Given.account("free");

	private final UUID domain = Given.domain(this.account);

	private final String from = "Ann <a@" + this.domain + ".test>";

	@Test
	void textHtmlAttachmentsAndHeadersAreKept() {
		String id = sent("", """
				From: %s
				To: Bo <b@c.test>
				Cc: c@c.test
				Bcc: d@c.test
				Reply-To: r@c.test
				Subject: =?UTF-8?Q?Sch=C3=B6n?=
				X-Order: 17
				Received: from nowhere
				MIME-Version: 1.0
				Content-Type: multipart/mixed; boundary=m

				--m
				Content-Type: multipart/alternative; boundary=a

				--a
				Content-Type: text/plain; charset=utf-8
				Content-Transfer-Encoding: 8bit

				Grüße
				--a
				Content-Type: text/html; charset=utf-8
				Content-Transfer-Encoding: quoted-printable

				<p>Gr=C3=BC=C3=9Fe</p>
				--a--
				--m
				Content-Type: application/pdf; name=a.pdf
				Content-Transfer-Encoding: base64

				UERG
				--m--
				""".formatted(this.from));
		assertThat(Given
			.rows("select concat_ws(' ', subject, to_emails, cc, bcc, reply_to) " + "from email where id = '%s'", id))
			.containsExactly("Schön {\"Bo <b@c.test>\"} {c@c.test} {d@c.test} {r@c.test}");
		assertThat(Given.rows("select concat(text, html, headers) from email_content where email_id = '%s'", id))
			.containsExactly("Grüße<p>Grüße</p>{\"X-Order\": \"17\"}");
		assertThat(Given.rows("select attachments::text from email_content where email_id = '%s'", id).getFirst())
			.contains("a.pdf", "application/pdf");
	}

	@Test
	void theQueryNamesTheRecipientsAndTheTime() {
		String at = Instant.now().plusSeconds(3600).truncatedTo(ChronoUnit.SECONDS).toString();
		String id = sent("?to=b@c.test&to=hidden@c.test&send_at=" + at, message("Bo <b@c.test>, other@c.test"));
		assertThat(Given.rows("select recipient from delivery where email_id = '%s' order by position", id))
			.containsExactly("b@c.test", "hidden@c.test");
		assertThat(Given.rows("select scheduled_at = '%s' from email where id = '%s'", at, id)).containsExactly("t");
	}

	@Test
	void aRepeatedMessageIsOneMailWhateverItsIdAndDate() {
		String first = "Message-ID: <1@x>\r\n" + message("b@c.test");
		String again = "Message-ID: <2@x>\r\nDate: Sat, 1 Jan 2000 00:00:00 +0000\r\n" + message("b@c.test");
		String id = JsonPath.read(answer(200, send("", first, "k", key("emails.send"))), "$.id");
		EntityExchangeResult<byte[]> replayed = send("", again, "k", key("emails.send"));
		assertThat(JsonPath.<String>read(answer(200, replayed), "$.id")).isEqualTo(id);
		assertThat(replayed.getResponseHeaders().getFirst("Idempotency-Replayed")).isEqualTo("true");
		answer(409, send("?to=other@c.test", first, "k", key("emails.send")));
		String keyed = "Idempotency-Key: in-message\r\n" + first;
		assertThat(sent("", keyed)).isEqualTo(sent("", keyed)).isNotEqualTo(id);
		answer(400, send("", "Idempotency-Key: \r\n" + first, null, key("emails.send")));
		answer(200, send("", first, null, key("emails.send")));
	}

	@Test
	void messagesAreRefusedWithTheErrorsOfOtherMails() {
		String key = key("emails.send");
		assertThat(answer(400, send("", "", null, key))).contains("\"field\":\"from\"", "\"field\":\"to\"",
				"\"field\":\"subject\"", "\"field\":\"html\"");
		assertThat(answer(400, send("?send_at=now", message("b@c.test"), null, key))).contains("send_at");
		String many = String.join(", ", IntStream.range(0, 51).mapToObj((it) -> it + "@c.test").toList());
		assertThat(answer(400, send("", message(many), null, key))).contains("more than 50 recipients");
		String signed = "Content-Type: multipart/signed; boundary=b\r\n" + message("b@c.test");
		assertThat(answer(400, send("", signed, null, key))).contains("Validation error", "signed or encrypted");
		answer(403, send("", message("b@c.test").replace(this.domain.toString(), "other"), null, key));
		answer(403, send("", message("b@c.test"), null, key("emails.read")));
		String large = Base64.getMimeEncoder().encodeToString(new byte[11 * 1024 * 1024]);
		assertThat(
				answer(400,
						send("", "Content-Type: a/b; name=c\r\nContent-Transfer-Encoding: base64\r\n"
								+ message("b@c.test").replace("Hello", large), null, key)))
			.contains("larger than 10 MB");
		answer(413, send("", message("b@c.test") + "x".repeat(26 * 1024 * 1024), null, key));
	}

	@Test
	void anotherTypeOfBodyIsRefused() {
		this.client.send(HttpMethod.POST, key("emails.send"), "/api/emails/mime", "{}")
			.expectStatus()
			.isEqualTo(415)
			.expectBody()
			.jsonPath("$.message")
			.isEqualTo("Send the body as message/rfc822");
	}

	@Test
	void aSandboxKeySendsToTheSandboxOnly() {
		String key = key("emails.sandbox");
		answer(200, send("", message(SANDBOX), null, key));
		answer(200, send("?to=" + SANDBOX, message("b@c.test"), null, key));
		for (String query : List.of("", "?to=b@c.test", "?to=b@c.test&to=" + SANDBOX)) {
			assertThat(answer(403, send(query, message("b@c.test"), null, key))).contains("\"Forbidden\"");
		}
	}

	private String key(String... permissions) {
		return AccountKeys.of(this.keys, this.account, permissions).text();
	}

	private String message(String to) {
		return "From: " + this.from + "\r\nTo: " + to + "\r\nSubject: Hi\r\n\r\nHello\r\n";
	}

	private String sent(String query, String message) {
		return JsonPath.read(answer(200, send(query, message, null, key("emails.send"))), "$.id");
	}

	private static String answer(int status, EntityExchangeResult<byte[]> result) {
		String body = new String(result.getResponseBody(), StandardCharsets.UTF_8);
		assertThat(result.getStatus().value()).as(body).isEqualTo(status);
		return body;
	}

	private EntityExchangeResult<byte[]> send(String query, String message, @Nullable String idempotencyKey,
			String key) {
		return this.client.web().post().uri("/api/emails/mime" + query).headers((headers) -> {
			headers.setBearerAuth(key);
			if (idempotencyKey != null) {
				headers.set("Idempotency-Key", idempotencyKey);
			}
		})
			.contentType(MediaType.parseMediaType("message/rfc822"))
			.bodyValue(message.getBytes(StandardCharsets.UTF_8))
			.exchange()
			.expectBody()
			.returnResult();
	}

}

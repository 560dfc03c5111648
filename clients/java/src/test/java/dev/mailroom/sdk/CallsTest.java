package dev.mailroom.sdk;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;
import java.util.stream.IntStream;

import dev.mailroom.sdk.MailroomException.Conflict;
import dev.mailroom.sdk.MailroomException.ConnectionFailure;
import dev.mailroom.sdk.MailroomException.InvalidRequest;
import dev.mailroom.sdk.MailroomException.NotFound;
import dev.mailroom.sdk.MailroomException.PermissionDenied;
import dev.mailroom.sdk.MailroomException.QuotaExceeded;
import dev.mailroom.sdk.MailroomException.RateLimited;
import dev.mailroom.sdk.MailroomException.Refused;
import dev.mailroom.sdk.MailroomException.ServerFailure;
import dev.mailroom.sdk.MailroomException.Unauthenticated;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class CallsTest {

	private static final CallOptions ONCE = CallOptions.DEFAULT.withRetries(0);

	private static void mail(Email mail) {
		mail.from("a@b.test").to("c@d.test").subject("Hi \"Zoë\" 😀").text("It works.\n");
	}

	@Test
	void aMailRefusedTwiceWith503IsSentThreeTimesWithOneKey() throws Exception {
		Stub.Answer busy = Stub.refused(503, "service_unavailable", "Retry-After", "0");
		try (Stub stub = new Stub(busy, busy, Stub.json(200, Stub.ACCEPTED))) {
			assertThat(stub.client().emails().send(CallsTest::mail).id()).isEqualTo("m1");
			assertThat(stub.requests).hasSize(3);
			assertThat(Set.copyOf(stub.header("Idempotency-Key"))).hasSize(1)
				.allMatch((key) -> key.matches("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"));
			assertThat(stub.header("Mailroom-Attempt")).containsExactly("1", "2", "3");
			assertThat(Set.copyOf(stub.header("X-Request-Id"))).hasSize(3);
			assertThat(stub.requests).extracting(Stub.Request::body)
				.allSatisfy((body) -> assertThat(JsonObject.read(body).text("subject")).isEqualTo("Hi \"Zoë\" 😀"));
		}
	}

	@Test
	void aRequestNamesItsProgramItsVersionAndItsCredential() throws Exception {
		try (Stub stub = new Stub(Stub.json(200, Stub.ACCEPTED))) {
			stub.client().with((it) -> it.withIdempotencyKey("order-17")).emails().send(CallsTest::mail);
			assertThat(stub.header("User-Agent").get(0))
				.matches("mailroom-java/[0-9.]+ \\(java \\d+; \\w+\\) shop/4\\.2");
			assertThat(stub.header("Authorization")).containsExactly("Bearer " + Stub.KEY);
			assertThat(stub.header("Api-Version").get(0)).matches("\\d{4}-\\d\\d-\\d\\d");
			assertThat(stub.header("Idempotency-Key")).containsExactly("order-17");
			assertThat(stub.requests.get(0).uri()).isEqualTo("/api/emails");
		}
	}

	@Test
	void aConnectionCutAfterTheBodyIsRepeatedWithTheSameKey() throws Exception {
		try (Stub stub = new Stub(Stub.cut(), Stub.json(200, Stub.ACCEPTED, "Idempotency-Replayed", "true"))) {
			assertThat(stub.client().emails().send(CallsTest::mail).replayed()).isTrue();
			assertThat(stub.requests).hasSize(2);
			assertThat(Set.copyOf(stub.header("Idempotency-Key"))).hasSize(1);
		}
	}

	@Test
	void theQuotaIsNotRetriedAndTheRateIsAfterRetryAfter() throws Exception {
		try (Stub stub = new Stub(Stub.refused(429, "daily_monthly_limit_reached", "Retry-After", "1"))) {
			QuotaExceeded error = catchThrowableOfType(QuotaExceeded.class,
					() -> stub.client().emails().send(CallsTest::mail));
			assertThat(error.attempts()).isEqualTo(1);
			assertThat(error.idempotencyKey()).isPresent();
			assertThat(stub.requests).hasSize(1);
		}
		try (Stub stub = new Stub(Stub.refused(429, "rate_limit_exceeded", "Retry-After", "1"),
				Stub.json(200, Stub.ACCEPTED))) {
			stub.client().emails().send(CallsTest::mail);
			assertThat(Duration.ofNanos(stub.requests.get(1).at() - stub.requests.get(0).at()))
				.isGreaterThan(Duration.ofMillis(950));
		}
		try (Stub stub = new Stub(Stub.refused(429, "rate_limit_exceeded", "Retry-After", "31"))) {
			assertThatExceptionOfType(RateLimited.class).isThrownBy(() -> stub.client().emails().send(CallsTest::mail));
			assertThat(stub.requests).hasSize(1);
		}
	}

	@Test
	void anOperationWithoutAKeyIsNotRepeatedAfterALostResponse() throws Exception {
		try (Stub stub = new Stub(Stub.cut())) {
			assertThatExceptionOfType(ConnectionFailure.class).isThrownBy(() -> stub.client()
				.webhooks()
				.create((it) -> it.url("https://shop.test/hooks").events(List.of(EventKind.EMAIL_BOUNCED))));
			assertThat(stub.requests).hasSize(1);
			assertThat(stub.header("Idempotency-Key")).containsExactly("null");
			assertThatExceptionOfType(ConnectionFailure.class)
				.isThrownBy(() -> stub.client().request("POST", "/newer", Map.of("a", 1)));
			assertThat(stub.requests).hasSize(2);
			Mailroom keyed = stub.client().with((it) -> it.withIdempotencyKey("x"));
			assertThatExceptionOfType(ConnectionFailure.class).isThrownBy(() -> keyed.webhooks().rotateSecret("x"));
			assertThat(stub.requests).hasSize(3);
			assertThatExceptionOfType(ConnectionFailure.class)
				.isThrownBy(() -> keyed.request("POST", "/newer", Map.of()));
			assertThat(stub.requests).hasSize(6);
		}
	}

	@Test
	void anOperationWithoutAKeyIsRepeatedIfNoConnectionWasMade() throws Exception {
		int port;
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			port = socket.getLocalPort();
		}
		Mailroom mailroom = Mailroom.builder().apiKey(Stub.KEY).url("http://127.0.0.1:" + port).build();
		ConnectionFailure error = catchThrowableOfType(ConnectionFailure.class,
				() -> mailroom.webhooks().rotateSecret("x"));
		assertThat(error.attempts()).isEqualTo(3);
	}

	@Test
	void aTimeoutNamesTheIdOfItsRequest() throws Exception {
		try (Stub stub = new Stub(Stub.silence())) {
			Mailroom mailroom = stub.client(ONCE.withAttemptTimeout(Duration.ofMillis(300)));
			ConnectionFailure error = catchThrowableOfType(ConnectionFailure.class, () -> mailroom.usage().get());
			assertThat(error.name()).isEqualTo("timeout");
			assertThat(stub.header("X-Request-Id")).containsExactly(error.requestId());
			assertThat(error).hasMessageContaining(error.requestId());
		}
	}

	@Test
	void anInterruptEndsACall() throws Exception {
		try (Stub stub = new Stub(Stub.silence())) {
			Mailroom mailroom = stub.client();
			Thread.currentThread().interrupt();
			assertThatExceptionOfType(ConnectionFailure.class).isThrownBy(() -> mailroom.usage().get());
			assertThat(Thread.interrupted()).isTrue();
		}
	}

	@Test
	void aDeleteThatFindsNothingOnItsSecondAttemptIsDone() throws Exception {
		try (Stub stub = new Stub(Stub.cut(), Stub.refused(404, "domain_not_found"))) {
			stub.client().domains().delete("x");
			assertThat(stub.requests).hasSize(2);
		}
		try (Stub stub = new Stub(Stub.refused(404, "domain_not_found"))) {
			assertThatExceptionOfType(NotFound.class).isThrownBy(() -> stub.client().domains().delete("x"));
		}
	}

	@Test
	void eachStatusHasItsException() throws Exception {
		is(400, "validation_error", InvalidRequest.class);
		is(413, "payload_too_large", InvalidRequest.class);
		is(401, "unauthorized", Unauthenticated.class);
		is(403, "forbidden", PermissionDenied.class);
		is(403, "from_domain_mismatch", Refused.class);
		is(404, "email_not_found", NotFound.class);
		is(409, "idempotency_key_reused", Conflict.class);
		is(500, "internal_error", ServerFailure.class);
		is(418, "of_the_future", InvalidRequest.class);
		try (Stub stub = new Stub(Stub.refused(403, "forbidden", "WWW-Authenticate",
				"Bearer error=\"insufficient_scope\", scope=\"templates.write\""))) {
			PermissionDenied error = catchThrowableOfType(PermissionDenied.class,
					() -> stub.client().templates().delete("x"));
			assertThat(error.requiredPermission()).contains("templates.write");
		}
		try (Stub stub = new Stub(Stub.json(502, "<html>Bad gateway"))) {
			ServerFailure error = catchThrowableOfType(ServerFailure.class, () -> stub.client(ONCE).usage().get());
			assertThat(error.name()).isEqualTo("http_502");
		}
	}

	private static void is(int status, String name, Class<? extends MailroomException> type) throws Exception {
		try (Stub stub = new Stub(Stub.refused(status, name, "X-Request-Id", "of-the-server"))) {
			MailroomException error = catchThrowableOfType(type, () -> stub.client(ONCE).emails().get("x"));
			assertThat(error).isExactlyInstanceOf(type).hasMessageContaining("because");
			assertThat(error.statusCode()).isEqualTo(status);
			assertThat(error.name()).isEqualTo(name);
			assertThat(error.requestId()).isEqualTo("of-the-server");
			assertThat(error.docsUrl()).isPresent();
		}
	}

	@Test
	void listsAreReadPageByPageAndUnknownValuesAreKept() throws Exception {
		try (Stub stub = new Stub(page("1", ", \"next_cursor\": \"c/2\""), page("2", ""))) {
			List<String> ids = new ArrayList<>();
			for (EmailLogItem email : stub.client().emails().list((it) -> it.limit(2).status(EmailStatus.BOUNCED))) {
				ids.add(email.id());
				assertThat(email.status()).isEqualTo(new EmailStatus("teleported")).hasToString("teleported");
			}
			assertThat(ids).containsExactly("1a", "1b", "2a", "2b");
			assertThat(stub.requests).extracting(Stub.Request::uri)
				.containsExactly("/api/emails/logs?limit=2&status=bounced&cursor=",
						"/api/emails/logs?limit=2&status=bounced&cursor=c%2F2");
			assertThat(stub.client().emails().list().first()).isPresent();
			assertThat(stub.client().emails().list().toList(1)).hasSize(1);
		}
	}

	private static Stub.Answer page(String number, String cursor) {
		String email = """
				{"id": "%s", "from_email": "a", "to_emails": [], "subject": "s", "status": "teleported",
				 "open_count": 0, "click_count": 1, "created_at": "2026-11-21T09:30:00.000Z", "novel": {"x": 1}}""";
		return Stub.json(200, "{\"data\": {\"emails\": [" + email.formatted(number + "a") + ","
				+ email.formatted(number + "b") + "], \"pagination\": {\"page\": 1" + cursor + "}}}");
	}

	@Test
	void eachMailOfABatchIsSentOrRejected() throws Exception {
		try (Stub stub = new Stub(Stub.json(200, """
				{"data": [{"emailId": "one"}, {"emailId": null,
				 "error": {"name": "of_the_future", "message": "No.", "statusCode": 400}}]}"""))) {
			Email mail = new Email();
			mail(mail);
			assertThat(stub.client().emails().sendBatch(List.of(mail, mail))).containsExactly(new Emails.Sent("one"),
					new Emails.Rejected("of_the_future", "No.", 400));
		}
	}

	@Test
	void anyNumberOfContactsIsSavedInCallsOf1000WithKeysOfTheirOwn() throws Exception {
		try (Stub stub = new Stub(Stub.json(200, """
				{"data": {"message": "Saved", "count": 900, "updated": 100}}"""))) {
			List<NewContact> contacts = IntStream.range(0, 2_001)
				.mapToObj((i) -> new NewContact().email("c" + i + "@d.test"))
				.toList();
			Contacts.Saved saved = stub.client()
				.with((it) -> it.withIdempotencyKey("file-1"))
				.contacts()
				.saveAll("book", contacts);
			assertThat(saved).isEqualTo(new Contacts.Saved(2_700, 300));
			assertThat(stub.header("Idempotency-Key")).containsExactly("file-1-1", "file-1-2", "file-1-3");
		}
	}

	@Test
	void waitingEndsInVain() throws Exception {
		try (Stub stub = new Stub(Stub.json(200, """
				{"id": "d1", "name": "shop.test", "status": "pending", "records": [], "open_tracking": false,
				 "click_tracking": false, "transport": "of-the-future", "require_tls": false,
				 "created_at": "2026-11-21T09:30:00.000Z", "verified_at": null}""".transform(CallsTest::inDomain)))) {
			assertThatExceptionOfType(WaitTimeoutException.class)
				.isThrownBy(() -> stub.client().domains().waitUntilVerified("d1", Duration.ZERO))
				.withMessageContaining("shop.test is still pending");
		}
	}

	@Test
	void aDeprecatedOperationIsReportedOnce() throws Exception {
		List<String> reported = new ArrayList<>();
		Handler handler = new StreamHandler() {
			@Override
			public synchronized void publish(LogRecord line) {
				reported.add(line.getLevel() + " " + line.getMessage());
			}
		};
		Logger logger = Logger.getLogger(Transport.class.getName());
		logger.addHandler(handler);
		try (Stub stub = new Stub(Stub.json(200, "{\"data\": []}", "Deprecation", "@1796083200", "Sunset",
				"Wed, 01 Dec 2027 00:00:00 GMT", "Link",
				"</docs/versions>; rel=\"deprecation\"; type=\"text/html\""))) {
			Mailroom client = stub.client();
			for (int i = 0; i < 2; i++) {
				client.emails().sendBatch(List.of());
			}
		}
		finally {
			logger.removeHandler(handler);
		}
		assertThat(reported).containsExactly("WARNING Mailroom: emails.sendBatch is deprecated and ends on "
				+ "Wed, 01 Dec 2027 00:00:00 GMT, see /docs/versions");
	}

	private static String inDomain(String domain) {
		return "{\"data\": {\"domain\": " + domain + "}}";
	}

	@Test
	void aClientNeedsAKeyAndAnAddressAndHidesTheKey() {
		assertThatIllegalStateException().isThrownBy(() -> Mailroom.builder().url("http://x").apiKey("").build())
			.withMessageContaining("MAILROOM_API_KEY");
		assertThatIllegalStateException().isThrownBy(() -> Mailroom.builder().apiKey("k").url("").build())
			.withMessageContaining("MAILROOM_URL");
		assertThat(Mailroom.builder().apiKey(Stub.KEY).url("http://x/api").build())
			.hasToString("Mailroom http://x/api ek_" + "a".repeat(12) + "…");
	}

}

package dev.mailroom.worker.smtp.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.function.Consumer;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.account.ApiKey;
import dev.mailroom.account.ApiKeys;
import dev.mailroom.account.MemberRole;
import dev.mailroom.account.UnknownKey;
import dev.mailroom.worker.Surroundings;
import dev.mailroom.worker.smtp.server.SmtpServerOptions.SmtpLimits;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.mail.AuthenticationFailedException;
import jakarta.mail.Message.RecipientType;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeBodyPart;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import org.eclipse.angus.mail.smtp.SMTPTransport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Surroundings.WorkerAlone
class SubmissionTest {

	/** More sign-ins than a network may fail in the time that they take. */
	private static final int MANY = 5000;

	private static final String SANDBOX = "delivered@simulator.mailroom.localhost";

	@Autowired
	ApiKeys keys;

	@Autowired
	SubmissionListener listener;

	@Autowired
	SubmissionHandler handler;

	@Autowired
	MeterRegistry meters;

	private final Scope scope = Given.sender("free");

	private final String domain = this.scope.domain() + ".test";

	@Test
	void theEnvelopeNamesTheRecipientsAndTheHeadersThoseShown() throws Exception {
		String reply = send(key().text(), (mail) -> {
			to(mail, "Bo <b@x.test>, not-asked@x.test");
			cc(mail, "c@x.test");
			header(mail, "Bcc", "never@x.test");
		}, "b@x.test", "c@x.test", "hidden@x.test");
		String id = reply.substring(reply.lastIndexOf(' ') + 1).strip();
		assertThat(reply).startsWith("250 2.6.0 Accepted as ");
		assertThat(Given.rows("select array_to_string(to_emails, ',') from email where id = '%s'", id))
			.containsExactly("Bo <b@x.test>");
		assertThat(Given.rows("select recipient from delivery where email_id = '%s' order by position", id))
			.containsExactly("b@x.test", "c@x.test", "hidden@x.test");
		assertThat(
				Given.rows("select name from api_key join email on api_key_id = api_key.id where email.id = '%s'", id))
			.containsExactly("smtp");
	}

	@Test
	void bodiesAttachmentsAndHeadersAreKept() throws Exception {
		String reply = send(key().text(), (mail) -> {
			to(mail, "b@x.test");
			header(mail, "X-Order", "17");
			header(mail, "Received", "from nowhere");
			content(mail);
		}, "b@x.test");
		UUID id = UUID.fromString(reply.substring(reply.lastIndexOf(' ') + 1).strip());
		assertThat(Given.rows("select text from email_content where email_id = '%s'", id))
			.containsExactly("Schöne Grüße");
		assertThat(Given.rows("select html from email_content where email_id = '%s'", id))
			.containsExactly("<p>Schöne Grüße</p>");
		assertThat(Given.rows("select headers::text from email_content where email_id = '%s'", id).getFirst())
			.contains("X-Order", "17")
			.doesNotContain("Received");
	}

	@Test
	void aWrongKeyIsRejectedAndCounted() {
		double before = count("mailroom.auth.failures", "kind", "api_key", "reason", "invalid");
		assertThatExceptionOfType(AuthenticationFailedException.class)
			.isThrownBy(() -> send("ek_wrong", (mail) -> to(mail, "b@x.test"), "b@x.test"))
			.withMessageContaining("535 5.7.8 Unauthorized");
		assertThat(count("mailroom.auth.failures", "kind", "api_key", "reason", "invalid")).isEqualTo(before + 1);
	}

	/** The handler has no authenticator, which reads the keys of an issuer. */
	@Test
	void aPasswordThatIsNoApiKeyIsNotAuthenticated() {
		double before = count("mailroom.auth.failures", "kind", "api_key", "reason", "invalid");
		SubmissionHandler handler = new SubmissionHandler(null, this.keys, null, null, this.meters, Clock.systemUTC());
		SmtpHandler.SmtpClient client = new SmtpHandler.SmtpClient(
				new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), "me", true, null);
		assertThat(handler.signIn(client, "anybody", "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJ4In0.c2ln").blockOptional())
			.isEmpty();
		assertThat(count("mailroom.auth.failures", "kind", "api_key", "reason", "invalid")).isEqualTo(before + 1);
	}

	@Test
	void unknownKeysAreLimitedByTheClientsNetworkAndThoseOfOthersAreNot() throws IOException {
		try (SmtpServer flooded = serverFor("198.51.100.23"); SmtpServer other = serverFor("198.51.100.24")) {
			int unauthorized = 0;
			String reply = reply(flooded, UnknownKey.next());
			while (reply.startsWith("535 5.7.8 ")) {
				assertThat(++unauthorized).as("sign-ins that were tried").isLessThan(MANY);
				reply = reply(flooded, UnknownKey.next());
			}
			assertThat(reply).startsWith("454 4.7.0 ");
			assertThat(unauthorized).isGreaterThan(50);
			assertThat(reply(other, UnknownKey.next())).startsWith("535 5.7.8 ");
			assertThat(reply(other, key().text())).startsWith("235 ");
		}
	}

	/** A server with the handler of submission whose clients have another address. */
	private SmtpServer serverFor(String client) {
		InetSocketAddress address = new InetSocketAddress(client, 1);
		SmtpServer server = new SmtpServer(
				new SmtpServerOptions("127.0.0.1", 0, "mx.x.test", null, true, 1000, 1, SmtpLimits.usual()),
				new SmtpHandler() {
					@Override
					public boolean requiresAuth() {
						return true;
					}

					@Override
					public Mono<Scope> signIn(SmtpClient actual, String user, String password) {
						return SubmissionTest.this.handler
							.signIn(new SmtpClient(address, actual.helo(), actual.tls(), null), user, password);
					}

					@Override
					public Mono<SmtpReply> mail(SmtpMail mail) {
						return SubmissionTest.this.handler.mail(mail);
					}
				});
		server.start();
		return server;
	}

	/** The reply to the sign-in of a new session. */
	private static String reply(SmtpServer server, String key) throws IOException {
		try (SmtpTestClient client = new SmtpTestClient(server.port())) {
			client.send("EHLO me\r\nAUTH PLAIN " + SmtpTestClient.plain("any", key) + "\r\n");
			return client.expect("220 ", "250 ", "");
		}
	}

	@Test
	void theDeclaredSizeIsThatOfTheLargestMail() throws Exception {
		try (SMTPTransport transport = connected(key().text())) {
			transport.simpleCommand("EHLO me");
			assertThat(transport.getLastServerResponse()).contains("SIZE 15728640");
		}
	}

	private double count(String meter, String... tags) {
		return this.meters.counter(meter, tags).count();
	}

	@Test
	void aForeignSenderAndAnUnverifiedDomainAreRefusedAndCounted() {
		String key = key().text();
		double before = count("mailroom.errors", "name", "from_domain_mismatch");
		assertThat(refusal(key, (mail) -> from(mail, "a@elsewhere.test")))
			.startsWith("550 5.7.1 From domain mismatch:");
		assertThat(count("mailroom.errors", "name", "from_domain_mismatch")).isEqualTo(before + 1);
		Given.run("update domain set status = 'pending' where id = '%s'", this.scope.domain());
		assertThat(refusal(key, (mail) -> {
		})).startsWith("550 5.7.1 Domain not verified:");
	}

	@Test
	void tooManyMailsAreRefusedTemporarily() throws Exception {
		Given.run("update account set send_rate = 1 where id = '%s'", this.scope.account());
		String key = key().text();
		until("a mail above the account's rate is refused",
				() -> lastReply(key).startsWith("450 4.7.1 Rate limit exceeded"));
		assertThat(count("mailroom.rate.limited", "kind", "send")).isPositive();
	}

	/** The reply to the last of a few MAIL commands of a new session. */
	private String lastReply(String key) throws Exception {
		try (SMTPTransport transport = connected(key)) {
			String reply = "";
			for (int i = 0; i < 20 && !reply.startsWith("4"); i++) {
				transport.simpleCommand("RSET");
				transport.simpleCommand("MAIL FROM:<a@x.test>");
				reply = transport.getLastServerResponse();
			}
			return reply;
		}
	}

	@Test
	void aMailWithoutASubjectIsRefused() {
		assertThat(refusal(key().text(), (mail) -> header(mail, "Subject", "")))
			.startsWith("554 5.6.0 Validation error: subject");
	}

	@Test
	void aKeyNeedsAPermissionToSend() throws Exception {
		send(key("sends", List.of("emails.send")).text(), (mail) -> to(mail, "b@x.test"), "b@x.test");
		double before = count("mailroom.auth.failures", "kind", "api_key", "reason", "not_permitted");
		assertThat(refusal(key("reads", List.of("emails.read", "inbound.read")).text(), (_) -> {
		})).isNotEmpty();
		assertThat(count("mailroom.auth.failures", "kind", "api_key", "reason", "not_permitted")).isGreaterThan(before);
	}

	@Test
	void theKeyOfAnAccountSendsFromEachOfItsVerifiedDomains() throws Exception {
		String key = accountKey("emails.send").text();
		UUID second = Given.domain(this.scope.account());
		send(key, (mail) -> to(mail, "b@x.test"), "b@x.test");
		String reply = send(key, (mail) -> from(mail, "a@" + second + ".test"), "b@x.test");
		assertThat(Given.rows("select domain_id from email where id = '%s'",
				reply.substring(reply.lastIndexOf(' ') + 1).strip()))
			.containsExactly(second.toString());
		assertThat(refusal(key, (mail) -> from(mail, "a@other.test"))).startsWith("550 5.7.1 From domain mismatch: ");
		assertThat(refusal(accountKey("domains.write").text(), (_) -> {
		})).isNotEmpty();
	}

	@Test
	void aSandboxKeySendsToTheSandboxOnly() throws Exception {
		for (ApiKey.Issued key : List.of(accountKey("emails.sandbox"), key("ci", List.of("emails.sandbox")))) {
			assertThat(send(key.text(), (mail) -> to(mail, SANDBOX), SANDBOX)).startsWith("250 ");
			assertThat(refusal(key.text(), (_) -> {
			})).startsWith("550 5.7.1 Forbidden: ");
		}
	}

	@Test
	void aKeyThatIsNarrowedOrExpiresDuringASessionIsRefusedThere() throws Exception {
		for (String change : List.of("permissions = '{emails.sandbox}'", "expires_at = now()")) {
			ApiKey.Issued key = accountKey("emails.send");
			try (SMTPTransport transport = connected(key.text())) {
				Given.run("update api_key set %s where id = '%s'", change, key.key().id());
				MimeMessage mail = mail((it) -> to(it, "b@x.test"));
				assertThatExceptionOfType(MessagingException.class).isThrownBy(
						() -> transport.sendMessage(mail, new InternetAddress[] { new InternetAddress("b@x.test") }))
					.withMessageContaining("535 5.7.8");
			}
		}
	}

	@Test
	void aRevokedKeyCannotSend() throws Exception {
		ApiKey.Issued key = key();
		try (SMTPTransport transport = connected(key.text())) {
			this.keys.delete(this.scope, key.key().id()).block();
			MimeMessage mail = mail((it) -> to(it, "b@x.test"));
			assertThatExceptionOfType(MessagingException.class)
				.isThrownBy(
						() -> transport.sendMessage(mail, new InternetAddress[] { new InternetAddress("b@x.test") }))
				.withMessageContaining("535 5.7.8");
		}
	}

	@Test
	void twoMessagesWithOneIdempotencyKeyAreOneMail() throws Exception {
		String key = key().text();
		double before = count("mailroom.idempotency", "result", "replayed");
		Consumer<MimeMessage> keyed = (mail) -> {
			to(mail, "b@x.test");
			header(mail, "Idempotency-Key", "once");
		};
		assertThat(send(key, keyed, "b@x.test")).isEqualTo(send(key, keyed, "b@x.test"));
		assertThat(count("mailroom.idempotency", "result", "replayed")).isEqualTo(before + 1);
		assertThat(count("mailroom.emails.accepted", "stream", "transactional", "channel", "smtp")).isPositive();
		assertThat(refusal(key, keyed.andThen((mail) -> header(mail, "Subject", "Another"))))
			.startsWith("554 5.6.0 Idempotency key reused");
	}

	@Test
	void anExhaustedQuotaIsATemporaryRefusal() {
		Given.run("insert into plan values ('closed', 0, 0) on conflict do nothing");
		Given.run("update account set plan = 'closed' where id = '%s'", this.scope.account());
		assertThat(refusal(key().text(), (mail) -> {
		})).startsWith("452 4.7.1 Daily/monthly limit reached:");
	}

	private ApiKey.Issued accountKey(String permission) {
		return this.keys
			.createForAccount(Scope.of(this.scope.account()), MemberRole.OWNER, UUID.randomUUID().toString(),
					List.of(permission), null)
			.block();
	}

	private ApiKey.Issued key() {
		return key("smtp", null);
	}

	private ApiKey.Issued key(String name, @Nullable List<@Nullable String> permissions) {
		return this.keys.create(Scope.of(this.scope.account()), this.scope.domain(), name, permissions).block();
	}

	private String refusal(String key, Consumer<MimeMessage> change) {
		try {
			return send(key, change.andThen((mail) -> to(mail, "b@x.test")), "b@x.test");
		}
		catch (MessagingException ex) {
			return String.valueOf(ex.getMessage()).strip();
		}
	}

	private String send(String key, Consumer<MimeMessage> change, String... recipients) throws MessagingException {
		try (SMTPTransport transport = connected(key)) {
			transport.sendMessage(mail(change), InternetAddress.parse(String.join(",", recipients)));
			return transport.getLastServerResponse();
		}
	}

	private SMTPTransport connected(String key) throws MessagingException {
		Properties properties = new Properties();
		properties.setProperty("mail.smtp.auth", "true");
		properties.setProperty("mail.smtp.host", "127.0.0.1");
		properties.setProperty("mail.smtp.port", Integer.toString(this.listener.port()));
		SMTPTransport transport = (SMTPTransport) Session.getInstance(properties).getTransport("smtp");
		transport.connect("anybody", key);
		return transport;
	}

	private MimeMessage mail(Consumer<MimeMessage> change) throws MessagingException {
		MimeMessage mail = new MimeMessage(Session.getInstance(new Properties()));
		mail.setFrom("Ann <a@" + this.domain + ">");
		mail.setSubject("Grüße", "UTF-8");
		mail.setText("Hi");
		change.accept(mail);
		mail.saveChanges();
		return mail;
	}

	private static void content(MimeMessage mail) {
		run(() -> {
			MimeBodyPart text = new MimeBodyPart();
			text.setText("Schöne Grüße", "UTF-8");
			MimeBodyPart html = new MimeBodyPart();
			html.setText("<p>Schöne Grüße</p>", "UTF-8", "html");
			MimeBodyPart file = new MimeBodyPart();
			file.setText("attached", "UTF-8");
			file.setFileName("notes.txt");
			mail.setContent(new MimeMultipart(file, text, html));
		});
	}

	private static void from(MimeMessage mail, String from) {
		run(() -> mail.setFrom(from));
	}

	private static void to(MimeMessage mail, String to) {
		run(() -> mail.setRecipients(RecipientType.TO, to));
	}

	private static void cc(MimeMessage mail, String cc) {
		run(() -> mail.setRecipients(RecipientType.CC, cc));
	}

	private static void header(MimeMessage mail, String name, String value) {
		run(() -> mail.setHeader(name, value));
	}

	private static void run(Action action) {
		try {
			action.run();
		}
		catch (MessagingException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private interface Action {

		void run() throws MessagingException;

	}

}

package dev.mailroom.worker.send;

import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.ScriptedSmtpServer;
import dev.mailroom.account.Account;
import dev.mailroom.account.Accounts;
import dev.mailroom.domain.Domain;
import dev.mailroom.domain.Domains;
import dev.mailroom.domain.PlatformDomain;
import dev.mailroom.mail.outcome.ReturnPath;
import dev.mailroom.worker.Dkimpy;
import org.apache.james.jdkim.DKIMVerifier;
import org.apache.james.jdkim.api.SignatureRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.worker.send.SendEnvironment.DNS;
import static dev.mailroom.worker.send.SendEnvironment.PLATFORM;
import static dev.mailroom.worker.send.SendEnvironment.SMTP;
import static dev.mailroom.worker.send.SendEnvironment.awaitSettled;
import static dev.mailroom.worker.send.SendEnvironment.received;
import static org.assertj.core.api.Assertions.assertThat;

/** The platform's signature and the fields that ask receivers for reports. */
@SendEnvironment.SendingWorker
class SendSignatureTest {

	private static final Pattern FIELD = Pattern.compile("(?im)^(Feedback-ID|CFBL-Address|CFBL-Feedback-ID): (.*)$");

	@Autowired
	Accounts accounts;

	@Autowired
	Domains domains;

	@Autowired
	PlatformDomain platform;

	@Autowired
	ReturnPath returnPath;

	private final UUID account = Given.account("unlimited");

	private Scope scope;

	@TempDir
	Path temporary;

	private String domain;

	@BeforeEach
	void createADomainWithKeys() {
		Await.await(this.accounts.ensurePlatform().then(Mono.defer(() -> this.platform.ensure(Account.PLATFORM))));
		Scope owner = Scope.of(this.account);
		Domain created = Await.await(this.domains.create(owner, "s" + this.account + ".test"));
		this.domain = created.id() + ".test";
		Given.run("update domain set name = '%s', status = 'verified', transport = 'mx' where id = '%s'", this.domain,
				created.id());
		SendEnvironment.pause(this.account);
		this.scope = Scope.of(this.account, created.id(), UUID.randomUUID());
	}

	@Test
	void directMailIsSignedByTheTenantAndThePlatformAndAsksForReportsAboutEachRecipient() throws Exception {
		UUID mail = Given.mail(this.scope, "a@signed.test", "b@signed.test");
		List<ScriptedSmtpServer.Mail> received = direct(mail, "signed.test", "127.0.0.21");
		assertThat(received).hasSize(2);
		String tag = Given.rows("select feedback_tag from account where id = '%s'", this.account).getFirst();
		assertThat(tag).matches("[a-z]{10}");
		for (ScriptedSmtpServer.Mail one : received) {
			assertThat(verified(one.content())).extracting((record) -> record.getDToken().toString())
				.containsExactlyInAnyOrder(this.domain, PLATFORM);
			assertThat(verified(one.content())).allSatisfy((record) -> assertThat(record.getHeaders())
				.extracting((name) -> name.toString().toLowerCase(Locale.ROOT))
				.containsOnlyOnce("list-id", "sender")
				.contains("feedback-id", "cfbl-address", "cfbl-feedback-id"));
			assertThat(one.content()).as("aligned").contains("From: Ann <a@" + this.domain + ">");
			if (Dkimpy.isInstalled()) {
				assertThat(verifiedByDkimpy(one.content())).containsExactlyInAnyOrder(
						"rsa-sha256 " + this.domain + " True", "ed25519-sha256 " + this.domain + " True",
						"rsa-sha256 " + PLATFORM + " True");
				for (String name : List.of("Feedback-ID", "CFBL-Address", "CFBL-Feedback-ID")) {
					assertThat(verifiedByDkimpy(name + ": added\r\n" + one.content())).as("with a second " + name)
						.hasSize(3)
						.noneMatch((line) -> line.contains("True"));
				}
			}
			List<String> fields = fields(one.content());
			assertThat(fields).hasSize(3)
				.contains("Feedback-ID: transactional:" + tag + ":platform-test-m",
						"CFBL-Address: fbl@" + PLATFORM + "; report=arf");
			assertThat(one.content()).doesNotContain(this.account.toString());
			String id = fields.getLast().substring(fields.getLast().indexOf(' ') + 1);
			assertThat(this.returnPath.readFeedbackId(id)).contains(
					new ReturnPath.Named(this.account,
							UUID.fromString(Given
								.rows("select id::text from delivery where email_id = '%s' and recipient = '%s'", mail,
										one.rcptTo())
								.getFirst())));
		}
	}

	@Test
	void aFeedbackIdOfTheTenantIsKeptAndNoneIsAdded() {
		UUID mail = Given.mail(this.scope, "a@kept.test");
		Given.run("update email_content set headers = '{\"feedback-id\": \"a:b:own-sender\"}' where email_id = '%s'",
				mail);
		String content = direct(mail, "kept.test", "127.0.0.22").getFirst().content();
		assertThat(fields(content)).hasSize(3).contains("feedback-id: a:b:own-sender");
	}

	@Test
	void mailThroughTheRelayHasTheSignaturesOfItsDomainOnly() {
		Given.run("update domain set transport = 'relay' where id = '%s'", this.scope.domain());
		SendEnvironment.resume(this.account);
		awaitSettled(Given.mail(this.scope, "a@relayed-" + this.domain));
		String content = received("@relayed-" + this.domain).getFirst().content();
		assertThat(fields(content)).isEmpty();
		assertThat(content).contains("d=" + this.domain).doesNotContain("d=" + PLATFORM, "cfbl", "list-id");
	}

	/**
	 * The copies of a mail that a server of the recipients' domain receives. The account
	 * is paused until then.
	 */
	private List<ScriptedSmtpServer.Mail> direct(UUID mail, String to, String address) {
		DNS.publish("A", to, address);
		try (ScriptedSmtpServer server = new ScriptedSmtpServer(InetAddress.ofLiteral(address), SMTP.port())) {
			SendEnvironment.resume(this.account);
			awaitSettled(mail);
			return server.mails();
		}
	}

	private static List<String> fields(String content) {
		String head = content.replace("\r\n", "\n").split("\n\n", 2)[0];
		return FIELD.matcher(head).results().map(MatchResult::group).toList();
	}

	private List<String> verifiedByDkimpy(String content) throws Exception {
		return Dkimpy.verify(this.temporary, content, Dkimpy.records());
	}

	/** The valid signatures with RSA, as an independent library verifies them. */
	private static List<SignatureRecord> verified(String content) throws Exception {
		return new DKIMVerifier((_, selector,
				domain) -> new ArrayList<>(Given.rows(
						"select 'v=DKIM1; k=rsa; p=' || public_key from dkim_key join domain on domain.id = domain_id "
								+ "where name = '%s' and selector = '%s' and algorithm = 'rsa-sha256'",
						domain, selector)))
			.verify(new ByteArrayInputStream(content.getBytes(StandardCharsets.UTF_8)))
			.stream()
			.filter((record) -> record.getHashKeyType().toString().equals("rsa"))
			.toList();
	}

}

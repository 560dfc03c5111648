package dev.mailroom.worker.smtp.server;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import dev.mailroom.Await;
import dev.mailroom.EmailAddress;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.ScriptedSmtpServer.Mail;
import dev.mailroom.domain.Domains;
import dev.mailroom.inbound.InboundRoute;
import dev.mailroom.inbound.InboundRoute.ForwardMode;
import dev.mailroom.inbound.ReceivingDomain;
import dev.mailroom.worker.Dkimpy;
import dev.mailroom.worker.Postfix;
import dev.mailroom.worker.Programs;
import dev.mailroom.worker.send.SendEnvironment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.worker.send.SendEnvironment.DNS;
import static dev.mailroom.worker.send.SendEnvironment.SMTP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Received mail that a route forwards, from the sending server to the next one. */
@SendEnvironment.SendingWorker
class ForwardTest {

	private static final String MAIL = """
			From: "Ann, of Sales" <ann@author.fwd.test>
			To: team@example.test
			Subject: Hello
			Message-ID: <%s@author.fwd.test>

			Hi.
			""";

	@Autowired
	InboundListener listener;

	@Autowired
	Forwarder forwarder;

	@Autowired
	Domains domains;

	private final UUID account = Given.account("unlimited");

	private final String target = "t" + this.account + "@target.test";

	private final String mail = MAIL.formatted(this.account);

	private UUID domain;

	private String address;

	private SendingServer sender;

	@BeforeEach
	void connect() {
		this.domain = Await.await(this.domains.create(Scope.of(this.account), "d" + this.account + ".test")).id();
		Given.run("update domain set status = 'verified' where id = '%s'", this.domain);
		this.address = "team@d" + this.account + ".test";
		confirm(this.target);
		this.sender = new SendingServer(this.listener.port());
	}

	@AfterEach
	void disconnect() {
		this.sender.close();
		SMTP.behave();
	}

	@Test
	void aMailIsForwardedAsItIsToTheAddressesWhoseOwnersConfirmed() {
		String other = "other" + this.account + "@target.test";
		String own = "inside@d" + this.account + ".test";
		Given.run("insert into forward_target values (gen_random_uuid(), '%s', '%s', '%2$s', null, now())",
				this.account, other);
		route("rewrite", this.target, other, own);
		send("ann@author.fwd.test", this.mail);
		Mail forwarded = received(this.target);
		assertThat(forwarded.mailFrom()).startsWith("b+").endsWith("@bounce.d" + this.account + ".test");
		assertThat(forwarded.content()).endsWith("\r\n" + this.mail.replace("\n", "\r\n"))
			.contains("\r\nDelivered-To: " + this.address + "\r\nReceived: from sender.in.test ([127.0.0.1])\r\n by ")
			.startsWith("ARC-Seal: i=1; a=rsa-sha256; cv=none;\r\n d=d" + this.account + ".test; ")
			.contains("\r\nARC-Authentication-Results: i=1; mx.mailroom.localhost;\r\n spf=");
		assertThat(received(own).content()).isEqualTo(forwarded.content());
		awaitEvents("email.forwarded inside@d" + this.account + ".test null",
				"email.forwarded " + this.target + " null", "email.forward_failed " + other + " not_confirmed");
		assertThat(Given.rows("select count(*) from event where account_id = '%s' and kind = 'email.received'",
				this.account))
			.containsExactly("1");
		assertThat(SMTP.mails()).noneMatch((mail) -> mail.rcptTo().equals(other));
		assertThat(Given.rows(
				"select data ->> 'received_id' from event where account_id = '%s' " + "and kind like 'email.forward%%'",
				this.account))
			.hasSize(3)
			.containsOnly(Given.rows("select id from inbound_email where account_id = '%s'", this.account).getFirst());
	}

	@Test
	void aMailThatIsSentAgainIsForwardedOnce() {
		route("rewrite", this.target);
		send("ann@author.fwd.test", this.mail);
		send("ann@author.fwd.test", this.mail);
		received(this.target);
		assertThat(Given.rows("select id from email where account_id = '%s'", this.account)).hasSize(1);
		send("ann@author.fwd.test", this.mail.replace("Message-ID", "X-Id"));
		assertThat(Given.rows("select id from email where account_id = '%s'", this.account)).hasSize(2);
	}

	@Test
	void aNotificationKeepsItsNullSender() {
		route("rewrite", this.target);
		send("", this.mail);
		assertThat(received(this.target).mailFrom()).isEmpty();
	}

	@Test
	void aBounceIsAnEventAndNoMailToTheAuthor() {
		route("rewrite", this.target);
		SMTP.answer("RCPT " + this.target, "550 5.1.1 No such user");
		send("ann@author.fwd.test", this.mail);
		awaitEvents("email.forward_failed " + this.target + " bounced");
		assertThat(Given.rows("select recipient from delivery where account_id = '%s'", this.account))
			.containsExactly(this.target);
		assertThat(SMTP.mails()).noneMatch((mail) -> mail.rcptTo().equals("ann@author.fwd.test"));
		send("ann@author.fwd.test", this.mail.replace("Hi.", "Again."));
		awaitEvents("email.forward_failed " + this.target + " bounced",
				"email.forward_failed " + this.target + " suppressed");
	}

	@Test
	void aLoopEnds() {
		route("rewrite", this.target);
		send("ann@author.fwd.test", this.mail);
		send("back@target.test", received(this.target).content().replace("\r\n", "\n"));
		send("ann@author.fwd.test", "Received: from a by b; Sat, 1 Jan 2022 00:00:00 +0000\n".repeat(30) + this.mail);
		awaitEvents("email.forward_failed " + this.target + " loop", "email.forward_failed " + this.target + " loop",
				"email.forwarded " + this.target + " null");
	}

	@Test
	void aMailWithAVirusOrOfAnAccountWithoutQuotaIsNotForwarded() {
		route("rewrite", this.target);
		EmailAddress address = EmailAddress.parse(this.address).orElseThrow();
		byte[] raw = this.mail.replace("\n", "\r\n").getBytes(StandardCharsets.US_ASCII);
		IncomingMail incoming = new IncomingMail(InetAddress.getLoopbackAddress(), "a.test", "a@b.test", raw);
		InboundChecks.CheckResults virus = new InboundChecks.CheckResults(CheckResult.PASS, CheckResult.FAIL,
				CheckResult.PASS, CheckResult.PASS, CheckResult.PASS, List.of());
		List<Boolean> queued = this.forwarder
			.forward(incoming, MailReader.read(incoming), virus,
					List.of(new Forwarder.Recipient(address,
							new ReceivingDomain.Owner(this.account, this.domain, List.of()),
							new InboundRoute.Forwarding(List.of(this.target), ForwardMode.KEEP, List.of(this.target)))),
					Map.of(this.domain, Given.inbound(this.account, this.domain)))
			.collectList()
			.block(Duration.ofSeconds(30));
		assertThat(queued).containsExactly(false);
		Given.run("update account set daily_limit = 0 where id = '%s'", this.account);
		send("ann@author.fwd.test", this.mail);
		awaitEvents("email.forward_failed " + this.target + " refused",
				"email.forward_failed " + this.target + " virus");
		assertThat(SMTP.mails()).noneMatch((mail) -> mail.rcptTo().equals(this.target));
	}

	@Test
	void aMailThatItsAuthorsDomainDoesNotSignHasTheSenderOfTheRouteUnlessItKeepsTheAuthor() {
		DNS.publish("TXT", "_dmarc.rejecting.fwd.test", "v=DMARC1; p=reject");
		String mail = this.mail.replace("author.fwd", "rejecting.fwd");
		String second = "second" + this.target;
		confirm(second);
		routeOf("kept", "keep", second);
		route("rewrite", this.target);
		send("ann@rejecting.fwd.test", mail);
		String rewritten = received(this.target).content();
		assertThat(rewritten).contains("\r\nDKIM-Signature: v=1; a=rsa-sha256;")
			.contains("\r\nFrom: \"Ann, of Sales\"\r\n <" + this.address + ">\r\nReply-To: ann@rejecting.fwd.test\r\n"
					+ "ARC-Authentication-Results: i=1; ")
			.doesNotContain("<ann@rejecting.fwd.test>")
			.endsWith("\r\n\r\nHi.\r\n");
		assertThat(rewritten.split("(?m)^From: ", -1)).hasSize(2);
		send("kept@d" + this.account + ".test", "ann@rejecting.fwd.test", mail);
		assertThat(received(second).content()).endsWith(mail.replace("\n", "\r\n")).startsWith("ARC-Seal: ");
	}

	/**
	 * The policy of the targets' domain demands TLS with the certificate of Postfix,
	 * which forwards mail to one of the targets back.
	 */
	@Test
	@Tag("nightly")
	void aReceiverFindsTheSignatureOfTheAuthorOrOfTheRouteValidAndEndsNoLoop(@TempDir Path temporary) throws Exception {
		assumeTrue(Postfix.isInstalled() && Dkimpy.isInstalled(),
				"postfix or python3-dkim is not installed, or the user is not root");
		Path directory = Files.createDirectory(temporary.resolve("servers"));
		String name = "d" + this.account + ".test";
		String looping = "loop" + this.account + "@target.fwd.test";
		String own = "loop@" + name;
		String kept = "kept" + this.account + "@target.fwd.test";
		confirm(looping);
		confirm(kept);
		routeOf("loop", "rewrite", looping);
		route("rewrite", kept);
		Given.run("update domain set transport = 'mx' where id = '%s'", this.domain);
		Given.run(
				"insert into mta_sts_policy values ('target.fwd.test', 'x', 'enforce', '{mx.fwd.test}', 86400, now())");
		DNS.publish("MX", "target.fwd.test", "10 mx.fwd.test");
		DNS.publish("A", "mx.fwd.test", "127.53.4.1");
		KeyPair author = rsa();
		String key = "v=DKIM1; k=rsa; p=" + Base64.getEncoder().encodeToString(author.getPublic().getEncoded());
		DNS.publish("TXT", "s1._domainkey.signing.fwd.test", key);
		DNS.publish("TXT", "_dmarc.signing.fwd.test", "v=DMARC1; p=reject");
		DNS.publish("TXT", "_dmarc.rejecting.fwd.test", "v=DMARC1; p=reject");
		Postfix postfix = new Postfix(directory, SMTP.port());
		postfix.serve("127.53.4.1", SendEnvironment.CERTIFICATE.issue("mx.fwd.test",
				Files.createDirectory(directory.resolve("certificate"))), SendEnvironment.CERTIFICATE);
		try (Programs programs = new Programs(directory)) {
			postfix.start(programs, "virtual_alias_maps = inline:{%s=%s}".formatted(looping, own),
					"transport_maps = inline:{%s=smtp:[127.0.0.1]:%d}".formatted(name, this.listener.port()));
			String content = this.mail.replace("author.fwd", "signing.fwd")
				.replace("Hi.\n", "Grüße  \n \tfrom Ann\n\n\n");
			send("ann@signing.fwd.test", Dkimpy.sign(directory, content, "signing.fwd.test", author.getPrivate()));
			String stored = stored(postfix, kept);
			List<String> records = Stream
				.concat(Stream.of("s1._domainkey.signing.fwd.test. " + key), Dkimpy.records().stream())
				.toList();
			assertThat(stored).contains("(using TLSv1.3 with cipher ",
					"\nFrom: \"Ann, of Sales\" <ann@signing.fwd.test>\n");
			assertThat(Dkimpy.verify(directory, stored, records)).containsExactly("rsa-sha256 signing.fwd.test True",
					"arc pass");
			send("ann@rejecting.fwd.test", this.mail.replace("author.fwd", "rejecting.fwd"));
			SendEnvironment.await("the second mail", () -> postfix.mails(kept).size() == 2);
			String rewritten = postfix.mails(kept)
				.stream()
				.filter((mail) -> !mail.equals(stored))
				.findAny()
				.orElseThrow();
			assertThat(rewritten).contains("\nFrom: \"Ann, of Sales\"\n <" + this.address + ">\n");
			assertThat(Dkimpy.verify(directory, rewritten, records))
				.contains("rsa-sha256 " + name + " True", "arc pass")
				.noneMatch((result) -> result.endsWith(" False"));
			send(own, "ann@author.fwd.test", this.mail);
			awaitEvents("email.forwarded " + kept + " null", "email.forwarded " + kept + " null",
					"email.forwarded " + looping + " null", "email.forward_failed " + looping + " loop");
			assertThat(Given.rows("select recipient from delivery where account_id = '%s'", this.account))
				.containsExactlyInAnyOrder(kept, kept, looping);
		}
	}

	private static String stored(Postfix postfix, String recipient) throws Exception {
		SendEnvironment.await("mail to " + recipient, () -> !postfix.mails(recipient).isEmpty());
		return postfix.mails(recipient).getFirst();
	}

	private static KeyPair rsa() throws Exception {
		KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
		generator.initialize(2048);
		return generator.generateKeyPair();
	}

	private void confirm(String address) {
		Given.run("insert into forward_target values (gen_random_uuid(), '%s', '%s', '%2$s', now(), now())",
				this.account, address);
	}

	private void route(String mode, String... targets) {
		routeOf("*", mode, targets);
	}

	private void routeOf(String pattern, String mode, String... targets) {
		Given.run("insert into inbound_route (id, account_id, domain_id, position, pattern, spam, action, active, "
				+ "created_at, forward_to, forward_mode) values (gen_random_uuid(), '%s', '%s', %d, '%s', 'mark', 'store', "
				+ "true, now(), '{%s}', '%s')", this.account, this.domain, pattern.equals("*") ? 2 : 1, pattern,
				String.join(",", targets), mode);
	}

	private void send(String from, String mail) {
		send(this.address, from, mail);
	}

	private void send(String to, String from, String mail) {
		assertThat(this.sender.send(from, List.of(to), mail)).startsWith("250 ");
	}

	private static Mail received(String recipient) {
		SendEnvironment.await("mail to " + recipient, () -> !SendEnvironment.received(recipient).isEmpty());
		return SendEnvironment.received(recipient).getFirst();
	}

	/** Waits for the events of forwards: kind, recipient and reason. */
	private void awaitEvents(String... events) {
		SendEnvironment.await("events of forwards", () -> events().size() == events.length);
		assertThat(events()).containsExactlyInAnyOrder(events);
	}

	private List<String> events() {
		return Given
			.rows("select concat(kind, ' ', data ->> 'recipient', ' ', coalesce(data -> 'failed' ->> 'reason', 'null')) "
					+ "from event where account_id = '%s' and (kind like 'email.forward%%' or kind like 'email.bounce%%' "
					+ "or kind like 'email.deliv%%')", this.account);
	}

}

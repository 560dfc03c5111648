package dev.mailroom.worker.smtp.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.IntStream;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.mail.outcome.ReturnPath;
import dev.mailroom.worker.Surroundings;
import dev.mailroom.worker.smtp.server.SmtpHandler.SmtpClient;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

@Surroundings.WorkerAlone
class InboundTest {

	private static final String MAIL = """
			From: Ann <ann@author.in.test>
			To: someone@else.test
			Subject: Hello
			Message-ID: <1@author.in.test>

			Hi.
			""";

	@Autowired
	InboundListener listener;

	@Autowired
	InboundHandler handler;

	@Autowired
	ReturnPath returnPath;

	@Autowired
	MeterRegistry meters;

	private final UUID account = Given.account("free");

	private final UUID domain = Given.domain(this.account);

	private final String address = "x@" + this.domain + ".test";

	private SendingServer sender;

	@BeforeEach
	void connect() {
		this.sender = new SendingServer(this.listener.port());
	}

	@AfterEach
	void disconnect() {
		this.sender.close();
	}

	@Test
	void aMailForAVerifiedDomainIsCheckedParsedStoredAndReported() {
		Surroundings.DNS.publish("TXT", "author.in.test", "v=spf1 ip4:127.0.0.1 ip6:::1 -all");
		Surroundings.DNS.publish("TXT", "_dmarc.author.in.test", "v=DMARC1; p=reject");
		assertThat(this.sender.send("ann@author.in.test", List.of(this.address), MAIL)).startsWith("250 ");
		assertThat(stored("concat_ws(' ', from_name, from_email, to_emails, recipients, subject, spam_verdict, "
				+ "virus_verdict, spf_verdict, dkim_verdict, dmarc_verdict)"))
			.containsExactly("Ann ann@author.in.test {someone@else.test} {" + this.address
					+ "} Hello DISABLED DISABLED PASS GRAY PASS");
		assertThat(Given.rows("select convert_from(raw, 'UTF8') from inbound_content where account_id = '%s'",
				this.account))
			.containsExactly(MAIL.replace("\n", "\r\n"));
		assertThat(
				Given.rows("select data ->> 'subject' from event where kind = 'email.received' and account_id = '%s'",
						this.account))
			.containsExactly("Hello");
		assertThat(this.meters.get("mailroom.dns").tag("kind", "txt").tag("result", "found").timer().count())
			.isGreaterThanOrEqualTo(2);
		assertThat(this.meters.get("mailroom.inbound").tag("result", "accepted").counter().count()).isPositive();
		assertThat(this.meters.get("mailroom.inbound.verdicts").tag("check", "spf").tag("verdict", "pass").counter())
			.satisfies((passed) -> assertThat(passed.count()).isPositive());
	}

	@Test
	void unknownAddressesAreRefusedWithTheSameReply() {
		UUID pending = Given.domain(this.account);
		Given.run("update domain set status = 'pending' where id = '%s'", pending);
		this.sender.command("MAIL FROM:<a@out.test>");
		String refusal = this.sender.command("RCPT TO:<x@elsewhere.test>");
		assertThat(refusal).startsWith("550 5.1.1 ");
		for (String other : List.of("x@" + pending + ".test", "x@sub." + this.domain + ".test",
				this.account + "@owner.test", "x%elsewhere.test@elsewhere.test", "x@localhost.test",
				"b+forged@bounce.elsewhere.test")) {
			assertThat(this.sender.command("RCPT TO:<" + other + ">")).isEqualTo(refusal);
		}
		assertThat(this.sender.command("DATA")).startsWith("5");
		assertThat(this.sender.command("RCPT TO:<" + this.address.toUpperCase(Locale.ROOT) + ">")).startsWith("250 ");
	}

	@Test
	void aClientThatHasSentTooMuchIsRefusedTemporarilyAndOthersAreNot() {
		InetAddress client = InetAddress.ofLiteral("127.0.0.9");
		SmtpClient sending = new SmtpClient(new InetSocketAddress(client, 1), "out.test", false, null);
		assertThat(IntStream.range(0, 1000)
			.filter((_) -> Await.await(this.handler.sender(sending, "a@out.test")).code() == 250)
			.count()).isEqualTo(600);
		try (SendingServer busy = new SendingServer(this.listener.port(), client)) {
			assertThat(busy.command("MAIL FROM:<a@out.test>")).startsWith("450 4.7.1 ");
		}
		assertThat(this.sender.command("MAIL FROM:<a@out.test>")).startsWith("250 ");
	}

	@Test
	void anAccountThatHasReceivedTooMuchTodayIsRefusedTemporarily() {
		Given.run("insert into inbound_day values ('%s', (now() at time zone 'UTC')::date, 1073741823)", this.account);
		assertThat(this.sender.send("ann@out.test", List.of(this.address), MAIL)).startsWith("250 ");
		Await.until("the limit is noticed",
				() -> this.sender.send("ann@out.test", List.of(this.address), MAIL).startsWith("452 4.2.2"));
	}

	@Test
	void aMailForSeveralRecipientsIsStoredOncePerDomain() {
		UUID other = Given.account("free");
		UUID others = Given.domain(other);
		assertThat(this.sender.send("", List.of(this.address, "y@" + this.domain + ".test", "z@" + others + ".test"),
				MAIL))
			.startsWith("250 ");
		assertThat(stored("cardinality(recipients)")).containsExactly("2");
		assertThat(Given.rows("select recipients[1] from inbound_email where account_id = '%s'", other))
			.containsExactly("z@" + others + ".test");
	}

	@Test
	void aRepeatedMailIsStoredOnce() {
		for (int i = 0; i < 3; i++) {
			assertThat(this.sender.send("ann@author.in.test", List.of(this.address), MAIL)).startsWith("250 ");
		}
		assertThat(stored("id")).hasSize(1);
	}

	@Test
	void aMailThatCannotBeStoredIsRefusedTemporarily() {
		Given.run("alter table inbound_content add constraint full_up check (account_id <> '%s') not valid",
				this.account);
		try {
			assertThat(this.sender.send("ann@author.in.test", List.of(this.address), MAIL)).startsWith("451 ");
		}
		finally {
			Given.run("alter table inbound_content drop constraint full_up");
		}
		assertThat(stored("id")).isEmpty();
		assertThat(this.meters.get("mailroom.inbound").tag("result", "failed").counter().count()).isPositive();
		assertThat(this.sender.send("ann@author.in.test", List.of(this.address), MAIL)).startsWith("250 ");
		assertThat(stored("id")).hasSize(1);
	}

	@Test
	void aBounceToAReturnPathIsAppliedAndNotStored() throws IOException {
		Scope scope = Given.sender("free");
		UUID mail = Given.mail(scope, "gone@example.net");
		Given.run("delete from queue where email_id = '%1$s'; "
				+ "update delivery set status = 'delivered', settled_at = now() where email_id = '%1$s'", mail);
		UUID delivery = UUID
			.fromString(Given.rows("select id::text from delivery where email_id = '%s'", mail).getFirst());
		String path = this.returnPath.of(scope.account(), delivery, "shop.test");
		String bounce = Files.readString(Path.of("src/test/resources/feedback/postfix-unknown.eml"));
		assertThat(this.sender.send("", List.of(path.replace("@", "0@")), bounce)).startsWith("550 5.1.1 ");
		try (SendingServer server = new SendingServer(this.listener.port())) {
			assertThat(server.send("", List.of(path), bounce)).startsWith("250 ");
		}
		assertThat(Given.rows("select status from email where id = '%s'", mail)).containsExactly("bounced");
		assertThat(Given.rows("select address from suppression where account_id = '%s'", scope.account()))
			.containsExactly("gone@example.net");
		assertThat(Given.rows("select id from inbound_email where account_id = '%s'", scope.account())).isEmpty();
	}

	@Test
	void theFirstRouteThatMatchesDecidesOnARecipient() {
		route(1, "vip", "mark", "store", true);
		route(2, "shop-*", "mark", "webhook", true);
		route(3, "shop-*", "mark", "reject", true);
		route(4, "*", "mark", "store", false);
		route(5, "lost", "mark", "drop", true);
		route(6, "*", "mark", "reject", true);
		this.sender.command("MAIL FROM:<a@out.test>");
		String refusal = this.sender.command("RCPT TO:<x@elsewhere.test>");
		assertThat(this.sender.command("RCPT TO:<other@" + this.domain + ".test>")).isEqualTo(refusal)
			.startsWith("550 5.1.1 ");
		this.sender.command("RSET");
		assertThat(this.sender.send("a@out.test", List.of("LOST@" + this.domain + ".test"), MAIL)).startsWith("250 ");
		assertThat(stored("id")).isEmpty();
		assertThat(this.sender.send("a@out.test",
				List.of("Vip@" + this.domain + ".test", "lost@" + this.domain + ".test"), MAIL))
			.startsWith("250 ");
		assertThat(this.sender.send("a@out.test", List.of("shop-1@" + this.domain + ".test"), MAIL)).startsWith("250 ");
		assertThat(stored("recipients[1] || cardinality(recipients)"))
			.containsExactlyInAnyOrder("Vip@" + this.domain + ".test1", "shop-1@" + this.domain + ".test1");
		assertThat(Given.rows("select data ->> 'source_url' from event where kind = 'email.received' "
				+ "and account_id = '%s' and data ? 'source_url'", this.account))
			.singleElement()
			.asString()
			.startsWith("http://localhost:8080/received/");
		for (String action : List.of("reject", "drop", "store", "webhook")) {
			assertThat(this.meters.get("mailroom.inbound.routed").tag("action", action).counter().count()).as(action)
				.isPositive();
		}
	}

	@Test
	void routesThatCannotBeReadRefuseTemporarily() {
		Given.run("alter function inbound_rules(uuid) rename to rules_away");
		try {
			this.sender.command("MAIL FROM:<a@out.test>");
			assertThat(this.sender.command("RCPT TO:<" + this.address + ">")).startsWith("451 ");
		}
		finally {
			Given.run("alter function rules_away(uuid) rename to inbound_rules");
		}
		assertThat(this.sender.command("RCPT TO:<" + this.address + ">")).startsWith("250 ");
	}

	private void route(int position, String pattern, String spam, String action, boolean active) {
		Given.run("insert into inbound_route values (gen_random_uuid(), '%s', '%s', %d, '%s', '%s', '%s', %s, now())",
				this.account, this.domain, position, pattern, spam, action, active);
	}

	@Test
	void aDeclaredSizeAboveTheLimitIsRefusedAtMail() {
		assertThat(this.sender.command("MAIL FROM:<a@out.test> SIZE=26214401")).startsWith("552 ");
		assertThat(this.sender.command("MAIL FROM:<a@out.test> SIZE=26214400")).startsWith("250 ");
	}

	private List<String> stored(String expression) {
		return Given.rows("select %s from inbound_email where account_id = '%s'", expression, this.account);
	}

}

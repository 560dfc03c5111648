package dev.mailroom.worker.send;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.ScriptedSmtpServer;
import dev.mailroom.campaign.Campaign;
import dev.mailroom.campaign.Campaigns;
import dev.mailroom.domain.Domain;
import dev.mailroom.domain.Domains;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.kafka.test.EmbeddedKafkaBroker;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

import static dev.mailroom.worker.send.SendEnvironment.DNS;
import static dev.mailroom.worker.send.SendEnvironment.SMTP;
import static dev.mailroom.worker.send.SendEnvironment.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A large campaign without pools, profiles, policies about TLS and the signature of the
 * platform: its leases, attempts and bytes are those of versions without them.
 */
@Tag("nightly")
@SendEnvironment.SendingWorker
@TestPropertySource(properties = { "mailroom.mx.profiles=false", "mailroom.mx.mta-sts=false",
		"mailroom.platform-signature=none", "mailroom.mx.rate=1000000" })
@DirtiesContext
class PlainCampaignTest {

	private static final int MAILS = 10_000;

	/** A mail, with what differs in each in angle brackets. */
	private static final String MAIL = """
			DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=<domain>;
			 s=<key>;
			 h=from:
			  from:to:to:cc:
			  subject:subject:date:date:message-id:message-id:
			  reply-to:mime-version:mime-version:content-type:content-type:
			  content-transfer-encoding:in-reply-to:
			  references:list-unsubscribe:list-unsubscribe:list-unsubscribe-post:list-unsubscribe-post;
			 bh=<hash>;
			 b=<signature>
			DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed/relaxed; d=<domain>;
			 s=<key>;
			 h=from:
			  from:to:to:cc:
			  subject:subject:date:date:message-id:message-id:
			  reply-to:mime-version:mime-version:content-type:content-type:
			  content-transfer-encoding:in-reply-to:
			  references:list-unsubscribe:list-unsubscribe:list-unsubscribe-post:list-unsubscribe-post;
			 bh=<hash>;
			 b=<signature>
			Date: <date>
			From: Ann <a@<domain>>
			To: <recipient>
			Message-ID: <<id>@<domain>>
			Subject: News for <name>
			List-Unsubscribe: <http://localhost:8080/u/<token>>
			List-Unsubscribe-Post: List-Unsubscribe=One-Click
			MIME-Version: 1.0
			Content-Type: multipart/alternative;
			 boundary="=_<id>_0"

			--=_<id>_0
			Content-Type: text/plain; charset=UTF-8
			Content-Transfer-Encoding: 7bit

			Hello <name>
			--=_<id>_0
			Content-Type: text/html; charset=UTF-8
			Content-Transfer-Encoding: 7bit

			<p>Hello <name></p>
			--=_<id>_0--
			""";

	@Autowired
	Campaigns campaigns;

	@Autowired
	Domains domains;

	@Autowired
	EmbeddedKafkaBroker broker;

	private final UUID account = Given.account("unlimited");

	@Test
	void aCampaignHasTheLeasesAttemptsAndBytesOfPlainDelivery() {
		Domain domain = Await.await(this.domains.create(Scope.of(this.account), "p" + this.account + ".test"));
		Given.run("update domain set status = 'verified', transport = 'mx' where id = '%s'", domain.id());
		DNS.publish("A", "plain.test", "127.0.0.41");
		try (ScriptedSmtpServer server = new ScriptedSmtpServer(InetAddress.ofLiteral("127.0.0.41"), SMTP.port());
				KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
						Map.of("bootstrap.servers", this.broker.getBrokersAsString(), "group.id", "plain",
								"auto.offset.reset", "earliest", "metadata.max.age.ms", "500"),
						new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
			consumer.subscribe(List.of("mailroom.deliveries"));
			start(domain);
			Set<ByteBuffer> leases = new HashSet<>();
			await("the mails to be delivered", () -> {
				consumer.poll(Duration.ofMillis(100)).forEach((record) -> leases.add(ByteBuffer.wrap(record.value())));
				return server.mails().size() >= MAILS && leases.size() >= MAILS
						&& Given.rows("select id from queue where account_id = '%s' limit 1", this.account).isEmpty();
			});
			assertThat(leases)
				.isEqualTo(Given.rows("select delivery_id from delivery_attempt where account_id = '%s'", this.account)
					.stream()
					.map((id) -> lease(UUID.fromString(id)))
					.collect(Collectors.toSet()));
			assertThat(Given.rows(
					"select count(*) || ' of ' || count(distinct delivery_id) || ': ' || attempt || ' ' || outcome || ' ' || "
							+ "coalesce(source, 'no source') from delivery_attempt where account_id = '%s' "
							+ "group by attempt, outcome, source",
					this.account))
				.containsExactly(MAILS + " of " + MAILS + ": 1 delivered no source");
			assertThat(server.mails()).extracting(ScriptedSmtpServer.Mail::rcptTo)
				.doesNotHaveDuplicates()
				.hasSize(MAILS);
			assertThat(server.mails().stream().map((mail) -> mail.peer() + " " + mail.client()).distinct())
				.containsExactly("127.0.0.1 localhost");
			assertThat(server.mails().stream().map((mail) -> common(mail, domain)).distinct().limit(2))
				.containsExactly(MAIL);
		}
	}

	private void start(Domain domain) {
		UUID book = UUID.randomUUID();
		Given.run("insert into contact_book (id, account_id, name, created_at, updated_at) "
				+ "values ('%s', '%s', 'Friends', now(), now())", book, this.account);
		Given.run("insert into contact (id, account_id, contact_book_id, email, email_key, first_name, subscribed, "
				+ "created_at, updated_at) select gen_random_uuid(), '%s', '%s', address, address, 'Name' || number, true, "
				+ "now(), now() from generate_series(1, %d) as number, concat(number, '@plain.test') as address",
				this.account, book, MAILS);
		Campaign.Form form = new Campaign.Form("n", "Ann <a@" + domain.name() + ">", List.of(),
				"News for {{first_name}}", book, null, "<p>Hello {{first_name}}</p>", "Hello {{first_name}}", null);
		UUID id = Await.await(this.campaigns.create(Scope.of(this.account), form)).id();
		Await.await(this.campaigns.start(Scope.of(this.account), id));
	}

	/** The form of a lease that all versions of the worker read. */
	private ByteBuffer lease(UUID delivery) {
		byte[] end = "\2mxplain.test".getBytes(StandardCharsets.US_ASCII);
		return ByteBuffer.allocate(39 + end.length)
			.put((byte) 'M')
			.put((byte) 1)
			.putLong(delivery.getMostSignificantBits())
			.putLong(delivery.getLeastSignificantBits())
			.putInt(0)
			.putLong(this.account.getMostSignificantBits())
			.putLong(this.account.getLeastSignificantBits())
			.put((byte) 0)
			.put(end)
			.flip();
	}

	/** A mail without what differs between the recipients. */
	private static String common(ScriptedSmtpServer.Mail mail, Domain domain) {
		String number = mail.rcptTo().substring(0, mail.rcptTo().indexOf('@'));
		return mail.content()
			.replace("Name" + number, "<name>")
			.replace(mail.rcptTo(), "<recipient>")
			.replace(domain.name(), "<domain>")
			.replace("\r\n", "\n")
			.replaceAll("(?m)^ s=\\w+;$", " s=<key>;")
			.replaceAll("(?m)^ bh=\\S+;$", " bh=<hash>;")
			.replaceAll("(?m)^ b=\\S+(\n  \\S+)*$", " b=<signature>")
			.replaceAll("(?m)^Date: .+$", "Date: <date>")
			.replaceAll("[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", "<id>")
			.replaceAll("/u/[\\w-]+>", "/u/<token>>");
	}

}

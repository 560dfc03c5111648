package dev.mailroom.worker.send;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.ScriptedSmtpServer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.kafka.test.EmbeddedKafkaBroker;

import static dev.mailroom.worker.send.SendEnvironment.DNS;
import static dev.mailroom.worker.send.SendEnvironment.SMTP;
import static dev.mailroom.worker.send.SendEnvironment.await;
import static dev.mailroom.worker.send.SendEnvironment.awaitLastEvent;
import static dev.mailroom.worker.send.SendEnvironment.pause;
import static dev.mailroom.worker.send.SendEnvironment.resume;
import static org.assertj.core.api.Assertions.assertThat;

/** Routes of leases, their age, and closed destinations. */
@SendEnvironment.SendingWorker
class SendRouteTest {

	private static final String TOPIC = "mailroom.deliveries";

	@Autowired
	EmbeddedKafkaBroker broker;

	private final Scope scope = Given.sender("unlimited");

	@BeforeEach
	void sendDirectly() {
		Given.run("update domain set transport = 'mx' where id = '%s'", this.scope.domain());
	}

	@Test
	void aMailIsNotHandedToTheServerOfAnotherDomainThanItsRecipients() throws Exception {
		DNS.publish("A", "right.test", "127.0.0.9");
		DNS.publish("A", "wrong.test", "127.0.0.10");
		try (ScriptedSmtpServer right = server("127.0.0.9"); ScriptedSmtpServer wrong = server("127.0.0.10")) {
			pause(this.scope.account());
			UUID mail = Given.mail(this.scope, "a@right.test");
			Given.leased(mail, 5);
			UUID delivery = UUID
				.fromString(Given.rows("select id from delivery where email_id = '%s'", mail).getFirst());
			resume(this.scope.account());
			publish(record(delivery, 5, "wrong.test"), Clock.systemUTC().millis());
			await("a session with the wrong server", () -> wrong.sessions() > 0);
			awaitLastEvent("delivered", mail);
			assertThat(wrong.mails()).isEmpty();
			assertThat(right.mails()).hasSize(1);
		}
	}

	@Test
	void aRecordOlderThanItsLeaseOpensNoSession() throws Exception {
		DNS.publish("A", "stale.test", "127.0.0.11");
		DNS.publish("A", "fresh.test", "127.0.0.12");
		try (ScriptedSmtpServer stale = server("127.0.0.11"); ScriptedSmtpServer fresh = server("127.0.0.12")) {
			long now = Clock.systemUTC().millis();
			UUID delivery = UUID.randomUUID();
			publish(record(delivery, 1, "stale.test"), now - Duration.ofHours(1).toMillis());
			publish(record(delivery, 1, "fresh.test"), now);
			await("a session for the fresh record", () -> fresh.sessions() > 0);
			assertThat(stale.sessions()).isZero();
		}
	}

	@Test
	void mailForAClosedDestinationWaitsWithoutAnEventOrAWrite() {
		DNS.publish("A", "closed.test", "127.0.0.13");
		List<UUID> failed = IntStream.range(0, 8).mapToObj((i) -> Given.mail(this.scope, i + "@closed.test")).toList();
		await("repeated failures",
				() -> Given
					.rows("select id from delivery_attempt where account_id = '%s' and outcome <> 'delivered'",
							this.scope.account())
					.size() >= 5);
		UUID waiting = Given.mail(this.scope, "waiting@closed.test");
		String row = Given.rows("select xmin || ' ' || queue::text from queue where email_id = '%s'", waiting)
			.getFirst();
		assertThat(Given.rows("select kind from event where email_id = '%s'", waiting)).isEmpty();
		assertThat(failed).hasSize(8);
		await("the open circuit in the worker's report",
				() -> Given
					.rows("select circuit || ' ' || (unreached >= 5) || ' ' || (closed_until is not null) "
							+ "from destination_report where destination = 'closed.test'")
					.equals(List.of("open true true")));
		assertThat(Given.rows("select xmin || ' ' || queue::text from queue where email_id = '%s'", waiting))
			.containsExactly(row);
		Given.run("delete from queue where account_id = '%s'", this.scope.account());
	}

	private static ScriptedSmtpServer server(String address) {
		return new ScriptedSmtpServer(InetAddress.ofLiteral(address), SMTP.port());
	}

	private void publish(byte[] value, long timestamp) throws Exception {
		try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
				Map.of("bootstrap.servers", this.broker.getBrokersAsString()), new ByteArraySerializer(),
				new ByteArraySerializer())) {
			producer.send(new ProducerRecord<>(TOPIC, 0, timestamp, new byte[] { 1 }, value)).get();
		}
	}

	/** A lease in its binary form, with the transport mx. */
	private byte[] record(UUID delivery, int epoch, String domain) {
		byte[] name = domain.getBytes(StandardCharsets.UTF_8);
		ByteBuffer buffer = ByteBuffer.allocate(42 + name.length);
		buffer.put((byte) 'M').put((byte) 1);
		buffer.putLong(delivery.getMostSignificantBits()).putLong(delivery.getLeastSignificantBits()).putInt(epoch);
		UUID account = this.scope.account();
		buffer.putLong(account.getMostSignificantBits()).putLong(account.getLeastSignificantBits());
		return buffer.put((byte) 0).put((byte) 2).put("mx".getBytes(StandardCharsets.US_ASCII)).put(name).array();
	}

}

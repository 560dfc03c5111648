package dev.mailroom.worker.send;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.kafka.test.EmbeddedKafkaBroker;

import static dev.mailroom.worker.send.SendEnvironment.await;
import static dev.mailroom.worker.send.SendEnvironment.awaitLastEvent;
import static dev.mailroom.worker.send.SendEnvironment.pause;
import static dev.mailroom.worker.send.SendEnvironment.received;
import static dev.mailroom.worker.send.SendEnvironment.resume;
import static org.assertj.core.api.Assertions.assertThat;

/** Delivery despite lost leases, unreadable records and faulty mails. */
@SendEnvironment.SendingWorker
class SendRecoveryTest {

	@Autowired
	EmbeddedKafkaBroker broker;

	private final Scope scope = Given.sender("unlimited");

	@Test
	void aLeaseLostInTheTopicIsRecovered() {
		UUID mail = Given.mail(this.scope, "b@lease.test");
		Given.run(
				"insert into lease select id, account_id, campaign, 0, now() - interval '1 second' from queue "
						+ "where email_id = '%s' on conflict (id) do update set epoch = 0, until = excluded.until",
				mail);
		awaitLastEvent("delivered", mail);
		assertThat(received("@lease.test")).hasSize(1);
	}

	@Test
	void anUnreadableRecordAndADeletedTopicDoNotStopDelivery() throws Exception {
		try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
				Map.of("bootstrap.servers", this.broker.getBrokersAsString()), new ByteArraySerializer(),
				new ByteArraySerializer())) {
			producer.send(new ProducerRecord<>("mailroom.deliveries", new byte[] { 1, 2, 3 })).get();
		}
		awaitLastEvent("delivered", Given.mail(this.scope, "b@poison.test"));
		await("a dead letter for the record",
				() -> !Given.rows("select id from dead_letter where why like 'mailroom.deliveries/%%'").isEmpty());
		try (Admin admin = Admin.create(Map.of("bootstrap.servers", this.broker.getBrokersAsString()))) {
			List<UUID> mails = IntStream.range(0, 50)
				.mapToObj((i) -> Given.mail(this.scope, i + "@wiped.test"))
				.toList();
			admin.deleteTopics(List.of("mailroom.deliveries")).all().get();
			mails.forEach((mail) -> awaitLastEvent("delivered", mail));
		}
		assertThat(received("@wiped.test")).hasSize(50);
	}

	@Test
	void mailsThatCannotBeReadOrComposedFailWithoutAffectingOthers() {
		pause(this.scope.account());
		UUID empty = Given.mail(this.scope, "empty@faulty.test");
		Given.run("delete from email_content where email_id = '%s'", empty);
		UUID illegible = Given.mail(this.scope, "illegible@faulty.test");
		Given.run("update email_content set headers = '{\"X-A\": {\"b\": 1}}' where email_id = '%s'", illegible);
		UUID unwritable = Given.mail(this.scope, "unwritable@faulty.test");
		Given.run("update email_content set headers = '{\"X-A\": null}' where email_id = '%s'", unwritable);
		UUID orphan = Given.mail(this.scope, "orphan@faulty.test");
		Given.run("update email set domain_id = '%s' where id = '%s'", UUID.randomUUID(), orphan);
		UUID sound = Given.mail(this.scope, "sound@faulty.test");
		resume(this.scope.account());
		List.of(empty, illegible, unwritable, orphan).forEach((mail) -> awaitLastEvent("failed", mail));
		awaitLastEvent("delivered", sound);
		assertThat(received("@faulty.test")).hasSize(1);
		assertThat(Given.rows("select email_id from dead_letter where account_id = '%s'", this.scope.account()))
			.containsExactlyInAnyOrder(illegible.toString(), unwritable.toString(), empty.toString(),
					orphan.toString());
	}

}

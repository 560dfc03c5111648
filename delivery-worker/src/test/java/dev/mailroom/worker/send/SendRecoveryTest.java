package dev.mailroom.worker.send;

import java.io.IOException;
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
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.kafka.test.EmbeddedKafkaBroker;

import static dev.mailroom.worker.send.SendEnvironment.await;
import static dev.mailroom.worker.send.SendEnvironment.awaitLastEvent;
import static dev.mailroom.worker.send.SendEnvironment.pause;
import static dev.mailroom.worker.send.SendEnvironment.received;
import static dev.mailroom.worker.send.SendEnvironment.resume;
import static org.assertj.core.api.Assertions.assertThat;

/** Delivery despite lost leases, unreadable records and faulty mails. */
@SendEnvironment.SendingWorker
@ExtendWith(OutputCaptureExtension.class)
class SendRecoveryTest {

	private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

	@Autowired
	EmbeddedKafkaBroker broker;

	private final Scope scope = Given.sender("unlimited");

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

	/** The entries are those of the console, which the product's log format writes. */
	@Test
	void mailsThatCannotBeReadOrComposedFailAndAreLoggedByTheirIdsWithoutAffectingOthers(CapturedOutput output) {
		pause(this.scope.account());
		UUID empty = Given.mail(this.scope, "empty@faulty.test");
		Given.run("delete from email_content where email_id = '%s'", empty);
		UUID illegible = Given.mail(this.scope, "illegible@faulty.test");
		Given.run("update email_content set headers = '{\"X-A\": {\"b\": 1}}' where email_id = '%s'", illegible);
		UUID unwritable = Given.mail(this.scope, "unwritable@faulty.test");
		Given.run("update email_content set headers = '{\"X-A\": null}' where email_id = '%s'", unwritable);
		UUID orphan = Given.mail(this.scope, "orphan@faulty.test");
		Given.run("update email set domain_id = '%s', trace = '00-%s-00f067aa0ba902b7-01' where id = '%s'",
				UUID.randomUUID(), TRACE, orphan);
		UUID sound = Given.mail(this.scope, "sound@faulty.test");
		resume(this.scope.account());
		List.of(empty, illegible, unwritable, orphan).forEach((mail) -> awaitLastEvent("failed", mail));
		awaitLastEvent("delivered", sound);
		assertThat(received("@faulty.test")).hasSize(1);
		assertThat(entry(output, illegible)).contains("\"account_id\":\"" + this.scope.account());
		assertThat(entry(output, unwritable)).contains("\"account_id\":\"" + this.scope.account(),
				"\"delivery_id\":\"" + delivery(unwritable));
		assertThat(entry(output, orphan)).contains("\"account_id\":\"" + this.scope.account(),
				"\"delivery_id\":\"" + delivery(orphan), TRACE);
		LoggerFactory.getLogger(getClass())
			.warn("Not sent to {}", "sound@faulty.test", new IOException("<sound@faulty.test>"));
		assertThat(output.getOut()).contains("Not sent to ")
			.doesNotContain("sound@faulty.test", "unwritable@", "orphan@");
		assertThat(Given.rows("select email_id from dead_letter where account_id = '%s'", this.scope.account()))
			.containsExactlyInAnyOrder(illegible.toString(), unwritable.toString(), empty.toString(),
					orphan.toString());
	}

	/** The entry with the id of a mail as a field. */
	private static String entry(CapturedOutput output, UUID mail) {
		return output.getOut()
			.lines()
			.filter((line) -> line.contains("\"email_id\":\"" + mail))
			.findFirst()
			.orElseThrow(() -> new AssertionError("No entry of mail " + mail));
	}

	private static String delivery(UUID mail) {
		return Given.rows("select id from delivery where email_id = '%s'", mail).getFirst();
	}

}

package dev.mailroom.worker.dispatch;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Await;
import dev.mailroom.mail.queue.Lease;
import dev.mailroom.source.SendingPools;
import dev.mailroom.worker.smtp.client.WorkerGroups;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.kafka.test.EmbeddedKafkaBroker;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Execution(ExecutionMode.CONCURRENT)
class DeliveryTopicTest {

	private static final ConfigResource TOPIC = new ConfigResource(ConfigResource.Type.TOPIC, "late");

	private static final List<Lease> LEASES = List.of(new Lease(UUID.randomUUID(), 1));

	/** Not the time of this machine, and within the limits of the broker. */
	private final Instant time = Clock.systemUTC().instant().minusSeconds(3000).truncatedTo(ChronoUnit.SECONDS);

	/**
	 * Does not set the property from which the workers of other tests take their broker.
	 */
	private final EmbeddedKafkaBroker broker = new EmbeddedKafkaKraftBroker(1, 1).brokerListProperty("late.brokers");

	@AfterEach
	void close() {
		this.broker.destroy();
	}

	@Test
	void theTopicIsCreatedWithAllPartitionsBeforeTheFirstRecord() throws Exception {
		DeliveryTopic unreachable = topic("localhost:1");
		assertThatThrownBy(() -> unreachable.publish(LEASES, this.time)).isInstanceOf(KafkaException.class);
		this.broker.afterPropertiesSet();
		publish();
		assertThat(partitions()).isEqualTo(4);
	}

	@Test
	void partitionsAreAddedToAnExistingTopic() throws Exception {
		this.broker.afterPropertiesSet();
		try (Admin admin = admin()) {
			admin.createTopics(List.of(new NewTopic("late", 1, (short) 1))).all().get();
		}
		publish();
		assertThat(partitions()).isEqualTo(4);
	}

	@Test
	void recordsAreKeptForAnHourInANewAndInAnExistingTopic() throws Exception {
		this.broker.afterPropertiesSet();
		publish();
		assertThat(retention()).isEqualTo("3600000");
		try (Admin admin = admin()) {
			admin
				.incrementalAlterConfigs(Map.of(TOPIC,
						List.of(new AlterConfigOp(new ConfigEntry("retention.ms", ""), AlterConfigOp.OpType.DELETE))))
				.all()
				.get();
		}
		publish();
		assertThat(retention()).isEqualTo("3600000");
	}

	@Test
	void recordsArePublishedIfTheClockOfTheDatabaseIsAheadOfTheBrokers() {
		this.broker.afterPropertiesSet();
		DeliveryTopic topic = topic(this.broker.getBrokersAsString());
		assertThatCode(() -> topic.publish(LEASES, Clock.systemUTC().instant().plus(Duration.ofHours(3))))
			.doesNotThrowAnyException();
		topic.close();
	}

	@Test
	void recordsHaveTheTimeOfTheDatabaseAndNotOfTheMachine() {
		this.broker.afterPropertiesSet();
		publish();
		try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(Map.of("bootstrap.servers",
				this.broker.getBrokersAsString(), "group.id", "times", "auto.offset.reset", "earliest"),
				new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
			consumer.subscribe(List.of("late"));
			List<Long> times = new ArrayList<>();
			Await.until("the record", () -> {
				consumer.poll(Duration.ofSeconds(1)).forEach((record) -> times.add(record.timestamp()));
				return !times.isEmpty();
			});
			assertThat(times).containsExactly(this.time.toEpochMilli());
		}
	}

	private int partitions() throws Exception {
		try (Admin admin = admin()) {
			return admin.describeTopics(List.of("late")).allTopicNames().get().get("late").partitions().size();
		}
	}

	private String retention() throws Exception {
		try (Admin admin = admin()) {
			return admin.describeConfigs(List.of(TOPIC)).all().get().get(TOPIC).get("retention.ms").value();
		}
	}

	private void publish() {
		DeliveryTopic topic = topic(this.broker.getBrokersAsString());
		topic.publish(LEASES, this.time);
		topic.close();
	}

	private Admin admin() {
		return Admin.create(Map.of("bootstrap.servers", this.broker.getBrokersAsString()));
	}

	private static DeliveryTopic topic(String broker) {
		KafkaProperties kafka = new KafkaProperties();
		kafka.setBootstrapServers(List.of(broker));
		kafka.getAdmin()
			.getProperties()
			.putAll(Map.of("metadata.recovery.strategy", "none", "request.timeout.ms", "2000", "default.api.timeout.ms",
					"3000"));
		KafkaAdmin admin = new KafkaAdmin(kafka.buildAdminProperties());
		admin.setOperationTimeout(5);
		return new DeliveryTopic(new DispatchSettings(10, Duration.ofMillis(500), "late", 4, -1),
				new WorkerGroups(WorkerGroups.DEFAULT, () -> SendingPools.NONE, Map::of, Clock.systemUTC()), kafka,
				admin);
	}

}

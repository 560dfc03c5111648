package dev.mailroom.worker.dispatch;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.queue.Lease;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.kafka.test.EmbeddedKafkaBroker;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DeliveryTopicTest {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final List<Lease> LEASES = List.of(new Lease(UUID.randomUUID(), 1));

	private final EmbeddedKafkaBroker broker = new EmbeddedKafkaKraftBroker(1, 1);

	@AfterEach
	void close() {
		this.broker.destroy();
	}

	@Test
	void aBrokerThatMakesTopicsByItselfIsAskedForAllPartsBeforeAnythingIsPublished() throws Exception {
		DeliveryTopic away = topic("localhost:1");
		assertThatThrownBy(() -> away.publish(LEASES).block(PATIENCE)).isNotNull();
		this.broker.afterPropertiesSet();
		publish();
		assertThat(parts()).isEqualTo(4);
	}

	@Test
	void aTopicThatOthersMadeInOnePartIsWidened() throws Exception {
		this.broker.afterPropertiesSet();
		try (Admin admin = admin()) {
			admin.createTopics(List.of(new NewTopic("late", 1, (short) 1))).all().get();
		}
		publish();
		assertThat(parts()).isEqualTo(4);
	}

	private int parts() throws Exception {
		try (Admin admin = admin()) {
			return admin.describeTopics(List.of("late")).allTopicNames().get().get("late").partitions().size();
		}
	}

	private void publish() {
		DeliveryTopic topic = topic(this.broker.getBrokersAsString());
		topic.publish(LEASES).block(PATIENCE);
		topic.close();
	}

	private Admin admin() {
		return Admin.create(Map.of("bootstrap.servers", this.broker.getBrokersAsString()));
	}

	private static DeliveryTopic topic(String broker) {
		KafkaProperties kafka = new KafkaProperties();
		kafka.setBootstrapServers(List.of(broker));
		KafkaAdmin admin = new KafkaAdmin(kafka.buildAdminProperties());
		admin.setOperationTimeout(5);
		return new DeliveryTopic(new DispatchSettings(10, Duration.ofMillis(500), "late", 4), kafka, admin);
	}

}

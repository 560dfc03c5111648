package dev.mailroom.system.faults;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The topic of the dispatcher, with operations that damage it. */
final class Topic {

	private static final String NAME = "mailroom.deliveries";

	private static final String GROUP = "mailroom-sender";

	private static final Duration POLL_TIMEOUT = Duration.ofSeconds(1);

	private final Map<String, Object> broker;

	Topic(String bootstrap) {
		this.broker = Map.of("bootstrap.servers", bootstrap);
	}

	/** Deletes the topic, unless it has been deleted and not yet been created again. */
	void delete() throws Exception {
		try (Admin admin = Admin.create(this.broker)) {
			admin.deleteTopics(List.of(NAME)).all().get();
		}
		catch (ExecutionException ex) {
			if (!(ex.getCause() instanceof UnknownTopicOrPartitionException)) {
				throw ex;
			}
		}
	}

	/** Removes the members of the consumer group, whose processes have ended. */
	void removeMembers() throws Exception {
		try (Admin admin = Admin.create(this.broker)) {
			admin.removeMembersFromConsumerGroup(GROUP, new RemoveMembersFromConsumerGroupOptions()).all().get();
		}
		catch (ExecutionException ex) {
			// The client refuses to remove members of an empty group.
			if (!(ex.getCause() instanceof IllegalArgumentException)) {
				throw ex;
			}
		}
	}

	/** Id of the broker that coordinates the consumer group. */
	int coordinator() throws Exception {
		try (Admin admin = Admin.create(this.broker)) {
			return admin.describeConsumerGroups(List.of(GROUP)).all().get().get(GROUP).coordinator().id();
		}
	}

	/** Number of copies of each partition that are up to date. */
	List<Integer> copies() throws Exception {
		try (Admin admin = Admin.create(this.broker)) {
			return admin.describeTopics(List.of(NAME))
				.allTopicNames()
				.get()
				.get(NAME)
				.partitions()
				.stream()
				.map((partition) -> partition.isr().size())
				.toList();
		}
	}

	/** Publishes every record again. */
	void replay() throws Exception {
		try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(this.broker, new ByteArraySerializer(),
				new ByteArraySerializer())) {
			for (ConsumerRecord<byte[], byte[]> record : records().values()) {
				producer.send(new ProducerRecord<>(NAME, record.key(), record.value())).get();
			}
		}
	}

	private Map<ByteBuffer, ConsumerRecord<byte[], byte[]>> records() {
		try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(this.broker, new ByteArrayDeserializer(),
				new ByteArrayDeserializer())) {
			List<TopicPartition> partitions = consumer.partitionsFor(NAME)
				.stream()
				.map((partition) -> new TopicPartition(NAME, partition.partition()))
				.toList();
			consumer.assign(partitions);
			consumer.seekToBeginning(partitions);
			Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
			Map<ByteBuffer, ConsumerRecord<byte[], byte[]>> records = new LinkedHashMap<>();
			while (partitions.stream().anyMatch((partition) -> consumer.position(partition) < ends.get(partition))) {
				consumer.poll(POLL_TIMEOUT).forEach((record) -> records.put(ByteBuffer.wrap(record.value()), record));
			}
			return records;
		}
	}

}

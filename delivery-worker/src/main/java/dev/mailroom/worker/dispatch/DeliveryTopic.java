package dev.mailroom.worker.dispatch;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import dev.mailroom.mail.queue.Lease;
import dev.mailroom.worker.smtp.client.WorkerGroups;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.config.TopicBuilder;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.stereotype.Component;

/**
 * The topic from which workers take leases, and those of further groups of workers. Their
 * contents may be lost at any time: the dispatcher leases the deliveries again.
 */
@Component
class DeliveryTopic {

	private static final Logger log = LoggerFactory.getLogger(DeliveryTopic.class);

	private static final Duration CHECK_INTERVAL = Duration.ofMinutes(1);

	/**
	 * Time for which the brokers keep records. They are void after two minutes; brokers
	 * keep those of other topics for seven days by default.
	 */
	private static final Duration RETENTION = Duration.ofHours(1);

	/** Only whole segments are removed. */
	private static final Duration SEGMENT = Duration.ofMinutes(10);

	private final DispatchSettings settings;

	private final KafkaAdmin admin;

	private final KafkaTemplate<byte[], byte[]> template;

	private final WorkerGroups groups;

	/** Groups whose topics are created: the default one, the own one, and those used. */
	private final Set<String> created = ConcurrentHashMap.newKeySet();

	/** Time of the next check, on the clock of {@link System#nanoTime()}. */
	private long nextCheck = System.nanoTime();

	DeliveryTopic(DispatchSettings settings, WorkerGroups groups, KafkaProperties kafka, KafkaAdmin admin) {
		this.settings = settings;
		this.groups = groups;
		this.created.add(WorkerGroups.DEFAULT);
		this.created.add(groups.own());
		this.admin = admin;
		admin.setModifyTopicConfigs(true);
		Map<String, Object> producer = kafka.buildProducerProperties();
		producer.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 10_000);
		producer.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000);
		producer.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 5_000);
		// Leases of a pass are sent together; none waits for later ones.
		producer.put(ProducerConfig.LINGER_MS_CONFIG, 0);
		this.template = new KafkaTemplate<>(
				new DefaultKafkaProducerFactory<>(producer, new ByteArraySerializer(), new ByteArraySerializer()));
	}

	/**
	 * Creates the topics or adds partitions to them, as soon as the broker is available.
	 * A topic created by the broker itself has a single partition, which only one worker
	 * can consume. Repeated once a minute, because the topic may be deleted.
	 * @throws KafkaException if the broker does not reply
	 */
	void check() {
		if (System.nanoTime() - this.nextCheck >= 0) {
			create();
			this.nextCheck = System.nanoTime() + CHECK_INTERVAL.toNanos();
		}
	}

	/**
	 * Publishes leases, each for the workers of its group. A deleted topic is created
	 * again for the next turn.
	 * @param time time of the leases by the database's clock
	 * @throws KafkaException if the broker did not accept all of them
	 */
	void publish(List<Lease> leases, Instant time) {
		leases.forEach(this.groups::count);
		Map<String, List<Lease>> topics = leases.stream().collect(Collectors.groupingBy(this.groups::of));
		if (this.created.addAll(topics.keySet())) {
			this.nextCheck = System.nanoTime();
		}
		check();
		try {
			topics.forEach(
					(group, some) -> send(WorkerGroups.named(this.settings.topic(), group), some, time.toEpochMilli()));
		}
		catch (KafkaException ex) {
			this.nextCheck = System.nanoTime();
			throw ex;
		}
	}

	/** Whether the workers of this process's group take a lease. */
	boolean isOwn(Lease lease) {
		return this.groups.isOwn(lease);
	}

	private void send(String topic, List<Lease> leases, long timestamp) {
		List<CompletableFuture<?>> acknowledgements = new ArrayList<>();
		for (Lease lease : leases) {
			CompletableFuture<?> acknowledgement = this.template
				.send(new ProducerRecord<>(topic, null, timestamp, LeaseBytes.key(lease), LeaseBytes.of(lease)));
			acknowledgements.add(acknowledgement);
			if (acknowledgement.isCompletedExceptionally()) {
				// Without a broker, each further record would block as long as this one.
				break;
			}
		}
		try {
			CompletableFuture.allOf(acknowledgements.toArray(CompletableFuture[]::new)).join();
		}
		catch (CompletionException ex) {
			throw (ex.getCause() instanceof KafkaException cause) ? cause
					: new KafkaException("The leases were not published", ex);
		}
	}

	private void create() {
		this.admin.createOrModifyTopics(this.created.stream().map(this::definition).toArray(NewTopic[]::new));
	}

	private NewTopic definition(String group) {
		return TopicBuilder.name(WorkerGroups.named(this.settings.topic(), group))
			.partitions(this.settings.partitions())
			.replicas(this.settings.replication())
			.config(TopicConfig.RETENTION_MS_CONFIG, Long.toString(RETENTION.toMillis()))
			.config(TopicConfig.SEGMENT_MS_CONFIG, Long.toString(SEGMENT.toMillis()))
			// The times are those of the database, whose clock may be ahead of the
			// broker's.
			.config(TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG, Long.toString(Long.MAX_VALUE))
			.build();
	}

	/** Checks the topic, as {@link #check}, if the broker is available. */
	void tryCheck() {
		try {
			check();
		}
		catch (RuntimeException ex) {
			log.debug("The topic could not be checked: {}", ex.toString());
		}
	}

	void close() {
		this.template.destroy();
	}

}

package dev.mailroom.worker.dispatch;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import dev.mailroom.mail.queue.Lease;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.config.TopicBuilder;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.stereotype.Component;

/**
 * The topic from which workers take leases. Its contents may be lost at any time: the
 * leases expire, and the rows are leased again.
 */
@Component
class DeliveryTopic {

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

	private final Mono<Boolean> ready;

	DeliveryTopic(DispatchSettings settings, KafkaProperties kafka, KafkaAdmin admin) {
		this.settings = settings;
		this.admin = admin;
		admin.setModifyTopicConfigs(true);
		this.ready = create().cache((_) -> CHECK_INTERVAL, (_) -> Duration.ZERO, () -> Duration.ZERO);
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
	 * Creates the topic or adds partitions to it, as soon as the broker is available. A
	 * topic created by the broker itself has a single partition, which only one worker
	 * can consume. Repeated once a minute, because the topic may be deleted.
	 */
	Mono<Boolean> ready() {
		return this.ready;
	}

	/**
	 * Publishes leases; fails if the broker did not accept all of them. A deleted topic
	 * is created again for the next turn. Not on an event loop, because the producer may
	 * block.
	 * @param time time of the leases by the database's clock
	 */
	Mono<Void> publish(List<Lease> leases, Instant time) {
		return this.ready.then(send(leases, time.toEpochMilli()).onErrorResume(KafkaException.class, this::restore));
	}

	private Mono<Void> send(List<Lease> leases, long timestamp) {
		return Mono.<Void>defer(() -> {
			List<CompletableFuture<?>> acknowledgements = new ArrayList<>();
			for (Lease lease : leases) {
				CompletableFuture<?> acknowledgement = this.template.send(new ProducerRecord<>(this.settings.topic(),
						null, timestamp, LeaseBytes.key(lease), LeaseBytes.of(lease)));
				acknowledgements.add(acknowledgement);
				if (acknowledgement.isCompletedExceptionally()) {
					// Without a broker, each further record would block as long as this
					// one.
					break;
				}
			}
			return Mono.fromFuture(CompletableFuture.allOf(acknowledgements.toArray(CompletableFuture[]::new)));
		}).subscribeOn(Schedulers.boundedElastic());
	}

	/** Creates the topic again, if the broker is available. */
	private Mono<Void> restore(KafkaException error) {
		return create().onErrorComplete().then(Mono.error(error));
	}

	private Mono<Boolean> create() {
		return Mono.fromCallable(() -> {
			this.admin.createOrModifyTopics(TopicBuilder.name(this.settings.topic())
				.partitions(this.settings.partitions())
				.replicas(this.settings.replication())
				.config(TopicConfig.RETENTION_MS_CONFIG, Long.toString(RETENTION.toMillis()))
				.config(TopicConfig.SEGMENT_MS_CONFIG, Long.toString(SEGMENT.toMillis()))
				.build());
			return true;
		}).subscribeOn(Schedulers.boundedElastic());
	}

	void close() {
		this.template.destroy();
	}

}

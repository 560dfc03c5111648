package dev.mailroom.worker.dispatch;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import dev.mailroom.outcome.Lease;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.config.TopicBuilder;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.stereotype.Component;

/**
 * The window that workers take from. Its whole log may be lost: the leases run out, and
 * the rows are leased again.
 */
@Component
class Topic {

	private final DispatchSettings settings;

	private final KafkaAdmin admin;

	private final KafkaTemplate<byte[], byte[]> template;

	Topic(DispatchSettings settings, KafkaProperties kafka, KafkaAdmin admin) {
		this.settings = settings;
		this.admin = admin;
		Map<String, Object> producer = kafka.buildProducerProperties();
		producer.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 10_000);
		producer.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000);
		producer.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 5_000);
		this.template = new KafkaTemplate<>(
				new DefaultKafkaProducerFactory<>(producer, new ByteArraySerializer(), new ByteArraySerializer()));
	}

	@Bean
	static NewTopic deliveries(DispatchSettings settings) {
		return TopicBuilder.name(settings.topic()).partitions(settings.partitions()).build();
	}

	/**
	 * Publishes leases; an error where the broker did not take them all. The topic may
	 * have been deleted: then it is there again for the next turn. A producer may wait:
	 * not on an event loop.
	 */
	Mono<Void> publish(List<Lease> leases) {
		return Mono.<Void>defer(() -> {
			CompletableFuture<?>[] sent = leases.stream()
				.map((lease) -> this.template.send(this.settings.topic(), LeaseBytes.key(lease), LeaseBytes.of(lease)))
				.toArray(CompletableFuture[]::new);
			return Mono.fromFuture(CompletableFuture.allOf(sent));
		})
			.onErrorResume(KafkaException.class, (error) -> restore().then(Mono.error(error)))
			.subscribeOn(Schedulers.boundedElastic());
	}

	/** Makes the topic anew where the broker is there and the topic is not. */
	private Mono<Void> restore() {
		return Mono.<Void>fromRunnable(() -> this.admin.createOrModifyTopics(deliveries(this.settings)))
			.subscribeOn(Schedulers.boundedElastic())
			.onErrorComplete();
	}

	void close() {
		this.template.destroy();
	}

}

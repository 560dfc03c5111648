package dev.mailroom.worker.dispatch;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import dev.mailroom.queue.Lease;
import org.apache.kafka.clients.producer.ProducerConfig;
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
 * The window that workers take from. Its whole log may be lost: the leases run out, and
 * the rows are leased again.
 */
@Component
class DeliveryTopic {

	private static final Duration LOOK = Duration.ofMinutes(1);

	private final DispatchSettings settings;

	private final KafkaAdmin admin;

	private final KafkaTemplate<byte[], byte[]> template;

	private final Mono<Boolean> ready;

	DeliveryTopic(DispatchSettings settings, KafkaProperties kafka, KafkaAdmin admin) {
		this.settings = settings;
		this.admin = admin;
		this.ready = made().cache((_) -> LOOK, (_) -> Duration.ZERO, () -> Duration.ZERO);
		Map<String, Object> producer = kafka.buildProducerProperties();
		producer.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 10_000);
		producer.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000);
		producer.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 5_000);
		this.template = new KafkaTemplate<>(
				new DefaultKafkaProducerFactory<>(producer, new ByteArraySerializer(), new ByteArraySerializer()));
	}

	/**
	 * Makes the topic where it is missing, as soon as there is a broker: one that makes
	 * topics by itself would make it in one part, which one worker alone could take from.
	 * Where that has happened, it is widened. Looked at anew every minute, for the broker
	 * may have lost it.
	 */
	Mono<Boolean> ready() {
		return this.ready;
	}

	/**
	 * Publishes leases; an error where the broker did not take them all. The topic may
	 * have been deleted: then it is there again for the next turn. A producer may wait:
	 * not on an event loop.
	 */
	Mono<Void> publish(List<Lease> leases) {
		return this.ready.then(send(leases).onErrorResume(KafkaException.class, this::restore));
	}

	private Mono<Void> send(List<Lease> leases) {
		return Mono.<Void>defer(() -> {
			CompletableFuture<?>[] sent = leases.stream()
				.map((lease) -> this.template.send(this.settings.topic(), LeaseBytes.key(lease), LeaseBytes.of(lease)))
				.toArray(CompletableFuture[]::new);
			return Mono.fromFuture(CompletableFuture.allOf(sent));
		}).subscribeOn(Schedulers.boundedElastic());
	}

	/** Makes the topic anew where the broker is there and the topic is not. */
	private Mono<Void> restore(KafkaException error) {
		return made().onErrorComplete().then(Mono.error(error));
	}

	private Mono<Boolean> made() {
		return Mono.fromCallable(() -> {
			this.admin.createOrModifyTopics(
					TopicBuilder.name(this.settings.topic()).partitions(this.settings.partitions()).build());
			return true;
		}).subscribeOn(Schedulers.boundedElastic());
	}

	void close() {
		this.template.destroy();
	}

}

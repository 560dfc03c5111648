package dev.mailroom.worker.send;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.mailroom.mail.outcome.DeadLetters;
import dev.mailroom.mail.queue.Lease;
import dev.mailroom.worker.dispatch.Dispatcher;
import dev.mailroom.worker.dispatch.HoldWatch;
import dev.mailroom.worker.dispatch.LeaseBytes;
import dev.mailroom.worker.smtp.client.WorkerGroups;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.kafka.autoconfigure.DefaultKafkaConsumerFactoryCustomizer;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ContainerCustomizer;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.stereotype.Component;

/**
 * Consumes leases from the topic, and takes lone ones from the dispatcher of this
 * process. Offsets are committed on receipt: a lease lost after that expires, and its
 * delivery is leased again.
 */
@Component
class DeliveryListener {

	private static final Logger log = LoggerFactory.getLogger(DeliveryListener.class);

	private final SenderThreads threads;

	private final DeadLetters deadLetters;

	private final HoldWatch holds;

	private final Duration lease;

	private final WorkerGroups groups;

	DeliveryListener(SenderThreads threads, DeadLetters deadLetters, HoldWatch holds, Dispatcher dispatcher,
			LeaseSettings settings, WorkerGroups groups) {
		this.threads = threads;
		this.deadLetters = deadLetters;
		this.holds = holds;
		this.lease = settings.lease();
		this.groups = groups;
		dispatcher.takeLone(this::takeLone);
	}

	/** The name of the topic or of the consumers of this worker's group. */
	public String named(String name) {
		return WorkerGroups.named(name, this.groups.own());
	}

	private boolean takeLone(Lease lease) {
		return this.threads.takeLone(new LeaseQueue.Waiting(lease, System.nanoTime() + this.lease.toNanos()));
	}

	/**
	 * Takes records. Those older than two leases by the database's clock are dropped,
	 * because no lease of them is valid. The clock of this machine is not used, because
	 * all leases would be dropped if it were fast.
	 */
	@KafkaListener(id = "mailroom-sender", groupId = "#{__listener.named('mailroom-sender')}",
			topics = "#{__listener.named('${mailroom.dispatch.topic:mailroom.deliveries}')}", batch = "true")
	void take(List<ConsumerRecord<byte[], byte[]>> records) {
		long oldest = this.holds.databaseTime().toEpochMilli() - 2 * this.lease.toMillis();
		long expiry = System.nanoTime() + this.lease.toNanos();
		List<LeaseQueue.Waiting> leases = new ArrayList<>();
		int stale = 0;
		for (ConsumerRecord<byte[], byte[]> record : records) {
			if (record.timestamp() < oldest) {
				stale++;
			}
			else {
				read(record).ifPresent((lease) -> leases.add(new LeaseQueue.Waiting(lease, expiry)));
			}
		}
		if (stale > 0) {
			log.warn("{} records were dropped, because their leases expired before they were received", stale);
		}
		this.threads.take(leases);
	}

	private Optional<Lease> read(ConsumerRecord<byte[], byte[]> record) {
		Optional<Lease> lease = LeaseBytes.read(record.value());
		if (lease.isEmpty() && LeaseBytes.isOfOtherVersion(record.value())) {
			log.warn("Skipped a lease written by another version: {} partition {} offset {}", record.topic(),
					record.partition(), record.offset());
		}
		else if (lease.isEmpty()) {
			log.error("Skipped a record that is not a lease: {} partition {} offset {}", record.topic(),
					record.partition(), record.offset());
			recordUnreadable(record.topic() + "/" + record.partition() + "/" + record.offset());
		}
		return lease;
	}

	/**
	 * Records a dead letter for an unreadable record of the topic without waiting. Errors
	 * are only logged: the delivery, if there is one, is leased again.
	 */
	private void recordUnreadable(String position) {
		Thread.ofVirtual().name("dead letter").start(() -> {
			try {
				this.deadLetters.recordUnreadable(position, "It is no lease");
			}
			catch (RuntimeException ex) {
				log.warn("No dead letter was recorded for {}: {}", position, ex.toString());
			}
		});
	}

	/** Options of the listener that have no property. */
	@Configuration(proxyBeanMethods = false)
	static class Options {

		/**
		 * The next poll does not wait for the commit of the offsets: leases received
		 * twice are void at the fence, and lost ones expire.
		 */
		@Bean
		ContainerCustomizer<Object, Object, ConcurrentMessageListenerContainer<Object, Object>> asynchronousCommits() {
			return (container) -> container.getContainerProperties().setSyncCommits(false);
		}

		@Bean
		DefaultKafkaConsumerFactoryCustomizer sessionTimeout(SendSettings settings) {
			return (factory) -> factory.updateConfigs(Map.of(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
					Math.toIntExact(settings.sessionTimeout().toMillis())));
		}

		/** In place of the one of Spring Boot, which has no setting for the close. */
		@Bean
		DefaultKafkaConsumerFactory<?, ?> consumers(KafkaProperties kafka,
				ObjectProvider<DefaultKafkaConsumerFactoryCustomizer> customizers) {
			QuickClose<?, ?> factory = new QuickClose<>(kafka.buildConsumerProperties());
			customizers.orderedStream().forEach((customizer) -> customizer.customize(factory));
			return factory;
		}

	}

	/**
	 * Limits the time for which a consumer closes. It leaves its group at once, and would
	 * then wait for the response to its last fetch, which the broker delays by up to
	 * {@code fetch.max.wait.ms} while there are no records.
	 */
	private static final class QuickClose<K, V> extends DefaultKafkaConsumerFactory<K, V> {

		private static final Duration TIMEOUT = Duration.ofMillis(300);

		QuickClose(Map<String, Object> properties) {
			super(properties);
		}

		@Override
		protected Consumer<K, V> createRawConsumer(Map<String, Object> properties) {
			return new ExtendedKafkaConsumer(properties) {
				@Override
				public void close() {
					close(CloseOptions.timeout(TIMEOUT));
				}
			};
		}

	}

}

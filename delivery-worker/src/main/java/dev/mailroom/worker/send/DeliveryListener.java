package dev.mailroom.worker.send;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.mailroom.mail.outcome.DeadLetters;
import dev.mailroom.mail.queue.Lease;
import dev.mailroom.worker.dispatch.HoldWatch;
import dev.mailroom.worker.dispatch.LeaseBytes;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

/**
 * Consumes leases from the topic. Offsets are committed on receipt: a lease lost after
 * that expires, and its delivery is leased again.
 */
@Component
class DeliveryListener {

	private static final Logger log = LoggerFactory.getLogger(DeliveryListener.class);

	private final SenderThreads threads;

	private final DeadLetters deadLetters;

	private final HoldWatch holds;

	private final Duration lease;

	DeliveryListener(SenderThreads threads, DeadLetters deadLetters, HoldWatch holds, LeaseSettings settings) {
		this.threads = threads;
		this.deadLetters = deadLetters;
		this.holds = holds;
		this.lease = settings.lease();
	}

	/**
	 * Takes records. Those older than two leases by the database's clock are dropped,
	 * because no lease of them is valid. The clock of this machine is not used, because
	 * all leases would be dropped if it were fast.
	 */
	@KafkaListener(id = "mailroom-sender", topics = "${mailroom.dispatch.topic:mailroom.deliveries}", batch = "true")
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

}

package dev.mailroom.worker.send;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.mailroom.queue.Lease;
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

	private final Sender sender;

	DeliveryListener(Sender sender) {
		this.sender = sender;
	}

	@KafkaListener(id = "mailroom-sender", topics = "${mailroom.dispatch.topic:mailroom.deliveries}", batch = "true")
	void take(List<ConsumerRecord<byte[], byte[]>> records) throws InterruptedException {
		List<Lease> leases = new ArrayList<>();
		for (ConsumerRecord<byte[], byte[]> record : records) {
			Optional<Lease> lease = LeaseBytes.read(record.value());
			if (lease.isEmpty()) {
				log.error("Skipped a record that is not a lease: {} partition {} offset {}", record.topic(),
						record.partition(), record.offset());
				this.sender.recordUnreadable(record.topic() + "/" + record.partition() + "/" + record.offset());
			}
			lease.ifPresent(leases::add);
		}
		this.sender.take(leases);
	}

}

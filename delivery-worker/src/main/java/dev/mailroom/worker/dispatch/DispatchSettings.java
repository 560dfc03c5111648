package dev.mailroom.worker.dispatch;

import java.time.Duration;

import dev.mailroom.Allowed;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the dispatcher.
 *
 * @param window maximum number of deliveries held by all workers together
 * @param poll interval at which the queue is polled in addition to notifications; a tenth
 * of it while there is work; a property for tests, without an environment variable
 * @param topic name of the topic
 * @param partitions number of its partitions
 * @param replication number of copies of each partition; -1 for the default of the
 * brokers
 */
@ConfigurationProperties("mailroom.dispatch")
record DispatchSettings(@DefaultValue("2000") @Allowed(from = "1", to = "1000000") int window,
		@DefaultValue("500ms") Duration poll, @DefaultValue("mailroom.deliveries") String topic,
		@DefaultValue("4") @Allowed(from = "1", to = "1000") int partitions,
		@DefaultValue("-1") @Allowed(from = "1", to = "10", or = "-1") int replication) {

	/** Maximum number of deliveries of one account. */
	int share() {
		return Math.max(1, this.window / 2);
	}

	/** Free places after which a full window is refilled at once. */
	int refill() {
		return Math.max(1, this.window / 4);
	}

}

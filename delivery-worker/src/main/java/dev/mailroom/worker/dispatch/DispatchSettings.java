package dev.mailroom.worker.dispatch;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How much is on its way to workers.
 *
 * @param window deliveries that all workers may hold together
 * @param poll how often is looked where nothing rings; ten times as often while there is
 * work
 * @param topic the topic's name
 * @param partitions into how many parts it is made
 */
@ConfigurationProperties("mailroom.dispatch")
record DispatchSettings(@DefaultValue("2000") int window, @DefaultValue("500ms") Duration poll,
		@DefaultValue("mailroom.deliveries") String topic, @DefaultValue("4") int partitions) {

	/** Deliveries of one account among them. */
	int share() {
		return Math.max(1, this.window / 2);
	}

	/** So much room is worth a look before its time. */
	int refill() {
		return Math.max(1, this.window / 4);
	}

}

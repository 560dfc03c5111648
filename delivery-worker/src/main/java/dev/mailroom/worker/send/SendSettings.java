package dev.mailroom.worker.send;

import java.time.Duration;

import dev.mailroom.Allowed;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the sender. The batch and the time to begin are properties for tests,
 * without environment variables.
 *
 * @param threads concurrent sessions; one destination may use half of the free ones
 * @param batch deliveries that pass the fence together and share a session
 * @param beginWithin time after the fence within which a hand-over must begin; later its
 * lease might expire during the hand-over
 * @param sessionTimeout time without a heartbeat after which a worker's partitions are
 * reassigned; brokers permit 6 s to 30 min by default
 * @param drainTimeout time that a shutdown waits for hand-overs in progress
 */
@ConfigurationProperties("mailroom.send")
record SendSettings(@DefaultValue("40") @Allowed(from = "1", to = "2000") int threads, @DefaultValue("16") int batch,
		@DefaultValue("90s") Duration beginWithin,
		@DefaultValue("10s") @Allowed(from = "6s", to = "30m") Duration sessionTimeout,
		@DefaultValue("100s") @Allowed(from = "1s", to = "1h") Duration drainTimeout) {
}

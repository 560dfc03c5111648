package dev.mailroom.worker.send;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the sender.
 *
 * @param lanes concurrent sessions; one destination may use half of the free ones
 * @param chunk deliveries that pass the fence together and share a session
 * @param beginWithin time after the fence within which a hand-over must begin; later its
 * lease might expire during the hand-over
 * @param drainTimeout time that a shutdown waits for hand-overs in progress
 */
@ConfigurationProperties("mailroom.send")
record SendSettings(@DefaultValue("40") int lanes, @DefaultValue("16") int chunk,
		@DefaultValue("90s") Duration beginWithin, @DefaultValue("100s") Duration drainTimeout) {
}

package dev.mailroom.worker.send;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How mail is handed over.
 *
 * @param lanes hand-overs under way at a time, each on a session of its own; half of
 * those that are free may be one destination's
 * @param chunk deliveries that pass the fence together and are handed over one by one
 * @param beginWithin a mail that was not begun with so soon after the fence waits for its
 * next turn, or its lease could run out while it is handed over
 * @param drainTimeout how long a stop waits for what is being handed over
 */
@ConfigurationProperties("mailroom.send")
record SendSettings(@DefaultValue("40") int lanes, @DefaultValue("16") int chunk,
		@DefaultValue("90s") Duration beginWithin, @DefaultValue("100s") Duration drainTimeout) {
}

package dev.mailroom.mail.queue;

import java.time.Duration;

import dev.mailroom.Allowed;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of leases.
 *
 * @param lease time for which a worker may wait before it passes the fence; later the
 * delivery is published again
 * @param dataLease time limit of a hand-over; more than the ten minutes that a client may
 * wait for the reply to the final dot (RFC 5321 4.5.3.2.6)
 */
@ConfigurationProperties("mailroom")
record QueueSettings(@DefaultValue("60s") @Allowed(from = "1s", to = "10m") Duration lease,
		@DefaultValue("15m") @Allowed(from = "1s", to = "1h") Duration dataLease) {
}

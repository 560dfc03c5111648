package dev.mailroom.worker.smtp.server;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Limits for the mails that one account submits to one worker.
 *
 * @param enabled false for benchmarks and load tests
 * @param sends mails per second
 * @param sendBurst mails that may follow each other at once
 */
@ConfigurationProperties("mailroom.rate-limit")
record SendRateSettings(@DefaultValue("true") boolean enabled, @DefaultValue("20") int sends,
		@DefaultValue("100") int sendBurst) {
}

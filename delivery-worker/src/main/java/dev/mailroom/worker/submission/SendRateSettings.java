package dev.mailroom.worker.submission;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How many mails an account may submit to one worker.
 *
 * @param enabled false for benchmarks and load tests
 * @param sends mails in a second
 * @param sendBurst so many at once after a pause
 */
@ConfigurationProperties("mailroom.rate-limit")
record SendRateSettings(@DefaultValue("true") boolean enabled, @DefaultValue("20") int sends,
		@DefaultValue("100") int sendBurst) {
}

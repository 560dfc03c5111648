package dev.mailroom.api.rate;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How many requests an account may make of one instance.
 *
 * @param enabled false for benchmarks and load tests
 * @param sends requests to send in a second, a batch being one
 * @param sendBurst so many at once after a pause
 * @param others other requests in a second
 * @param otherBurst so many at once after a pause
 */
@ConfigurationProperties("mailroom.rate-limit")
record RateSettings(@DefaultValue("true") boolean enabled, @DefaultValue("20") int sends,
		@DefaultValue("100") int sendBurst, @DefaultValue("10") int others, @DefaultValue("50") int otherBurst) {
}

package dev.mailroom.http;

import dev.mailroom.Allowed;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Limits for the requests of one account to one instance.
 *
 * @param enabled false for benchmarks and load tests
 * @param sends requests to send per second; a batch of the REST API is one, and each mail
 * of a GraphQL request
 * @param sendBurst requests to send that may follow each other at once
 * @param others other requests per second; an expensive GraphQL request counts as several
 * @param otherBurst other requests that may follow each other at once
 */
@ConfigurationProperties("mailroom.rate-limit")
record RateSettings(@DefaultValue("true") boolean enabled,
		@DefaultValue("20") @Allowed(from = "1", to = "1000000") int sends,
		@DefaultValue("100") @Allowed(from = "1", to = "1000000") int sendBurst,
		@DefaultValue("10") @Allowed(from = "1", to = "1000000") int others,
		@DefaultValue("50") @Allowed(from = "1", to = "1000000") int otherBurst) {
}

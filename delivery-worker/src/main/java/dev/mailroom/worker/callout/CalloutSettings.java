package dev.mailroom.worker.callout;

import java.nio.file.Path;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of webhook calls.
 *
 * @param endpoints maximum number of endpoints that this worker calls at a time
 * @param poll interval between searches for due calls
 * @param timeout time limit of a call, from the DNS query to the response
 * @param caFile PEM file of trusted certificates; null or empty for those of public
 * authorities
 */
@ConfigurationProperties("mailroom.webhook")
record CalloutSettings(@DefaultValue("500") int endpoints, @DefaultValue("1s") Duration poll,
		@DefaultValue("10s") Duration timeout, @Nullable Path caFile) {
}

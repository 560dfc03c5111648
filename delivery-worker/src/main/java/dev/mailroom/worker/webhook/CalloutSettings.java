package dev.mailroom.worker.webhook;

import java.nio.file.Path;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of webhook calls. Only the file has an environment variable; the others are
 * properties for tests.
 *
 * @param poll interval between searches for due calls, in addition to those after
 * settlements of the same worker
 * @param timeout time limit of a call, from the DNS query to the response; with the time
 * for beginning it and some seconds for its result, shorter than
 * {@link dev.mailroom.webhook.WebhookCalls#LEASE}
 * @param caFile PEM file of trusted certificates; null or empty for those of public
 * authorities
 */
@ConfigurationProperties("mailroom.webhook")
record CalloutSettings(@DefaultValue("1s") Duration poll, @DefaultValue("10s") Duration timeout,
		@Nullable Path caFile) {

	/**
	 * Endpoints that a worker calls at a time. Each call is a connection that waits, at
	 * most two for each endpoint, and a worker has a thousand of them to spare.
	 */
	static final int ENDPOINTS = 500;

	/** Time after the lease within which a call begins; the others stay in the queue. */
	static final Duration BEGIN_WITHIN = Duration.ofSeconds(2);

}

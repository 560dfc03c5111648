package dev.mailroom.worker.webhook;

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
 * @param lease time that a worker has for the calls that it leased together, as in the
 * core
 * @param caFile PEM file of trusted certificates; null or empty for those of public
 * authorities
 */
@ConfigurationProperties("mailroom.webhook")
record CalloutSettings(@DefaultValue("500") int endpoints, @DefaultValue("1s") Duration poll,
		@DefaultValue("10s") Duration timeout, @DefaultValue("60s") Duration lease, @Nullable Path caFile) {

	/** Time after the lease within which a call begins; the others stay in the queue. */
	static final Duration BEGIN_WITHIN = Duration.ofSeconds(2);

	/** Time for recording the results of the last calls. */
	private static final Duration RECORD_WITHIN = Duration.ofSeconds(5);

	/**
	 * Checks that no lease of an endpoint expires during its last call: another worker
	 * would make the call again.
	 * @throws IllegalArgumentException if the lease is too short
	 */
	CalloutSettings {
		Duration required = BEGIN_WITHIN.plus(timeout).plus(RECORD_WITHIN);
		if (lease.compareTo(required) < 0) {
			throw new IllegalArgumentException(
					"MAILROOM_WEBHOOK_LEASE is " + lease.toSeconds() + " s, but the calls of a lease may take "
							+ required.toSeconds() + " s with MAILROOM_WEBHOOK_TIMEOUT (" + timeout.toSeconds()
							+ " s). Raise the lease or lower the timeout");
		}
	}

}

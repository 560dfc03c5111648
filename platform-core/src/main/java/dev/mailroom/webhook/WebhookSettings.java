package dev.mailroom.webhook;

import java.time.Duration;
import java.util.List;

import dev.mailroom.Allowed;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of webhook endpoints.
 *
 * @param loopback whether endpoints on loopback addresses are accepted, also without TLS;
 * on in the standalone only
 * @param retryDelays delays before the second attempt, the third and so on; after the
 * last one a call is given up
 */
@ConfigurationProperties("mailroom.webhook")
record WebhookSettings(@DefaultValue("false") boolean loopback, @DefaultValue( {
		"5s", "5m", "30m", "2h", "5h", "10h", "14h", "20h", "24h" }) @Allowed(from = "1ms",
				to = "7d") List<Duration> retryDelays){

	/** The delays in milliseconds. */
	Long[] delayMillis() {
		return this.retryDelays.stream().map(Duration::toMillis).toArray(Long[]::new);
	}

}

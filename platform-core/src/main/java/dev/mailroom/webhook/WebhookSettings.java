package dev.mailroom.webhook;

import java.time.Duration;
import java.util.List;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of webhook endpoints.
 *
 * @param loopback whether endpoints on loopback addresses are accepted, also without TLS;
 * on in the standalone only
 * @param retryDelays delays before the second attempt, the third and so on; after the
 * last one a call is given up
 * @param maxPutOff maximum time for which all calls to a failing endpoint are postponed
 * @param disableAfter time with failures only after which an endpoint is switched off
 * @param lease time that a worker has for the calls that it leased together
 */
@ConfigurationProperties("mailroom.webhook")
record WebhookSettings(@DefaultValue("false") boolean loopback, @DefaultValue( {
		"5s", "5m", "30m", "2h", "5h", "10h", "14h", "20h", "24h" }) List<Duration> retryDelays,
		@DefaultValue("5m") Duration maxPutOff, @DefaultValue("5d") Duration disableAfter,
		@DefaultValue("60s") Duration lease){

	/** The delays in milliseconds. */
	Long[] delayMillis() {
		return this.retryDelays.stream().map(Duration::toMillis).toArray(Long[]::new);
	}

}

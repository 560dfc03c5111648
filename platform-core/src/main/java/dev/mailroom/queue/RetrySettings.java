package dev.mailroom.queue;

import java.time.Duration;
import java.util.List;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of retries. An actual delay is random between zero and the one configured.
 *
 * @param retryDelays maximum delays before the second attempt, the third and so on; after
 * the last one a mail expires
 * @param campaignRetryDelays the same for campaign mail, which is less urgent and is
 * tried less often and for longer
 */
@ConfigurationProperties("mailroom")
record RetrySettings(@DefaultValue( {
		"30s", "2m", "10m", "30m", "1h", "2h", "4h", "8h", "8h", "8h", "8h", "8h", "8h", "8h",
		"8h" }) List<Duration> retryDelays,
		@DefaultValue({ "5m", "10m", "20m", "40m", "80m", "160m", "4h", "4h", "4h", "4h", "4h", "4h", "4h", "4h", "4h",
				"4h", "4h", "4h", "4h", "4h", "4h", "4h", "4h", "4h", "4h", "4h", "4h", "4h", "4h", "4h", "4h", "4h",
				"4h", "4h", "4h" }) List<Duration> campaignRetryDelays){
}

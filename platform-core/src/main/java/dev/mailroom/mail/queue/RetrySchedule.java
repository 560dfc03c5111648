package dev.mailroom.mail.queue;

import java.time.Duration;
import java.util.List;

import dev.mailroom.Allowed;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.stereotype.Component;

/**
 * Retry limits of each stream. They are applied where an attempt is settled, and in the
 * queue itself to deliveries whose hand-over ended without a reply and which therefore
 * are never settled.
 */
@Component
public class RetrySchedule {

	/**
	 * Attempts before a mail may expire by its age. Its account may have been paused, or
	 * the platform down, for longer than the maximum age.
	 */
	public static final int MIN_ATTEMPTS = 6;

	private final Limits transactional;

	private final Limits campaign;

	RetrySchedule(QueueSettings queue, Settings retries) {
		this.transactional = limits(queue, retries.retryDelays());
		this.campaign = limits(queue, retries.campaignRetryDelays());
	}

	public Limits transactional() {
		return this.transactional;
	}

	public Limits campaign() {
		return this.campaign;
	}

	/** Each attempt may wait for a whole lease before it begins. */
	private static Limits limits(QueueSettings queue, List<Duration> delays) {
		Duration waits = delays.stream().map(queue.lease()::plus).reduce(Duration.ZERO, Duration::plus);
		return new Limits(delays, waits.plus(queue.dataLease()));
	}

	/**
	 * Limits of one stream.
	 *
	 * @param delays maximum delays before the second attempt, the third and so on
	 * @param maxAge time from when a mail was first due until it expires
	 */
	public record Limits(List<Duration> delays, Duration maxAge) {

		/** The delays in milliseconds. */
		public Long[] delayMillis() {
			return this.delays.stream().map(Duration::toMillis).toArray(Long[]::new);
		}

	}

	/**
	 * Settings of retries. An actual delay is random between zero and the one configured.
	 *
	 * @param retryDelays maximum delays before the second attempt, the third and so on;
	 * after the last one a mail expires
	 * @param campaignRetryDelays the same for campaign mail, which is less urgent and is
	 * tried less often and for longer
	 */
	@ConfigurationProperties("mailroom")
	record Settings(@DefaultValue( {
			"30s", "2m", "10m", "30m", "1h", "2h", "4h", "8h", "8h", "8h", "8h", "8h", "8h", "8h", "8h" }) @Allowed(
					from = "1ms", to = "7d") List<Duration> retryDelays,
			@DefaultValue({ "5m", "10m", "20m", "40m", "80m", "160m", "4h", "4h", "4h", "4h", "4h", "4h", "4h", "4h",
					"4h", "4h", "4h", "4h", "4h", "4h", "4h", "4h", "4h", "4h", "4h", "4h", "4h", "4h", "4h", "4h",
					"4h", "4h", "4h", "4h", "4h" }) @Allowed(from = "1ms",
							to = "7d") List<Duration> campaignRetryDelays){
	}

}

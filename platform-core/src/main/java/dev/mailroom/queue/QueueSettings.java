package dev.mailroom.queue;

import java.time.Duration;
import java.util.List;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The queue's times.
 *
 * @param lease how long a worker may hold a delivery before it hands it over
 * @param dataLease how long a hand-over may take: longer than the ten minutes that a
 * client may wait for the answer to the final dot (RFC 5321 4.5.3.2.6)
 * @param retryDelays the longest pauses before the second attempt, the third and so on;
 * after the last one a mail has expired
 * @param campaignRetryDelays the same for the mails of campaigns: nobody waits for those,
 * so servers are asked less often and for longer
 */
@ConfigurationProperties("mailroom")
public record QueueSettings(@DefaultValue("60s") Duration lease, @DefaultValue("15m") Duration dataLease,
		@DefaultValue( {
				"30s", "2m", "10m", "30m", "1h", "2h", "4h", "8h", "8h", "8h", "8h", "8h", "8h", "8h",
				"8h" }) List<Duration> retryDelays,
		@DefaultValue({ "5m", "10m", "20m", "40m", "80m", "160m", "4h", "4h", "4h", "4h", "4h", "4h", "4h", "4h", "4h",
				"4h", "4h", "4h", "4h", "4h", "4h", "4h", "4h", "4h", "4h", "4h", "4h", "4h", "4h", "4h", "4h", "4h",
				"4h", "4h", "4h" }) List<Duration> campaignRetryDelays){

	/**
	 * Age alone ends no mail that was tried less often: an account may have been paused,
	 * or all of us away, for longer than any mail is tried.
	 */
	public static final int TRIES = 6;

	private static final int AGING_SHARE = 7;

	/** A hand-over with no more of its lease than this left has gone on for long. */
	Duration aging() {
		return this.dataLease.minus(this.dataLease.dividedBy(AGING_SHARE));
	}

	public Patience transactional() {
		return patience(this.retryDelays);
	}

	public Patience campaign() {
		return patience(this.campaignRetryDelays);
	}

	/** An attempt may be held up for a lease before it begins. */
	private Patience patience(List<Duration> delays) {
		return new Patience(delays,
				delays.stream().map(this.lease::plus).reduce(Duration.ZERO, Duration::plus).plus(this.dataLease));
	}

	/**
	 * How often and how long mails of one stream are tried.
	 *
	 * @param longest from when a mail was first due: as long as its pauses and what may
	 * hold it up come to
	 */
	public record Patience(List<Duration> delays, Duration longest) {

		public Long[] millis() {
			return this.delays.stream().map(Duration::toMillis).toArray(Long[]::new);
		}

	}

}

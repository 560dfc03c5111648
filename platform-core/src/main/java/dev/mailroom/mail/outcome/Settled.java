package dev.mailroom.mail.outcome;

import java.time.Duration;
import java.util.List;

/**
 * Application event, published after each commit for every result and stream of the
 * group.
 *
 * @param result delivered, sent, bounced, deferred, suppressed, failed or complained
 * @param toFirstAttempt time from due to the end of the attempt, of those deliveries that
 * were tried for the first time
 * @param attempts number of attempts so far of each delivery
 */
public record Settled(DeliveryResult result, String stream, int count, List<Duration> toFirstAttempt,
		List<Integer> attempts) {
}

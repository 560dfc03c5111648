package dev.mailroom.outcome;

import java.time.Duration;
import java.util.List;

/**
 * Told once for each group of deliveries of one stream that came to the same outcome.
 *
 * @param outcome delivered, sent, bounced, deferred, suppressed or failed
 * @param toFirstAttempt how long those waited that were tried for the first time
 */
public record Settled(String outcome, String stream, int count, List<Duration> toFirstAttempt) {
}

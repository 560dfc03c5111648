package dev.mailroom.mail.accept;

import dev.mailroom.Refused;

/**
 * Refusal of a reservation. It is also the application event of a request that was
 * refused, or a campaign that was paused, for a quota.
 *
 * @param period {@code day} or {@code month}: that of the limit
 */
public record LimitReached(String period, Refused refused) {
}

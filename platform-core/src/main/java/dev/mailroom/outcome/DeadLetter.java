package dev.mailroom.outcome;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * What could not be read or put into words.
 *
 * @param id the delivery's where that is known
 * @param what a mail, or a record of the topic that names none
 * @param requeuedAt when it was put back into the queue; null where it never was
 */
public record DeadLetter(UUID id, String what, String why, @Nullable UUID accountId, @Nullable UUID emailId,
		@Nullable UUID deliveryId, Instant diedAt, @Nullable Instant requeuedAt) {
}

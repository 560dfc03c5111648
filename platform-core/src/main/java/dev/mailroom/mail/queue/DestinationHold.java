package dev.mailroom.mail.queue;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A destination whose mail waits in the queue.
 *
 * @param destination the recipients' domain, lower-case and ASCII
 * @param heldBy account of the operator
 * @param until time at which the hold ends automatically; null if it must be released
 */
public record DestinationHold(String destination, String reason, UUID heldBy, Instant heldAt, @Nullable Instant until) {
}

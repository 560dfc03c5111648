package dev.mailroom.hold;

import java.time.Instant;
import java.util.UUID;

/**
 * The pause of the whole queue: mail is accepted, and none is begun.
 *
 * @param pausedBy account of the operator
 */
public record QueuePause(String reason, UUID pausedBy, Instant pausedAt) {
}

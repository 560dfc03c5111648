package dev.mailroom.mail.queue;

import java.time.Instant;
import java.util.UUID;

/**
 * The pause of a stream of the queue: its mail is accepted, and no hand-over of it is
 * begun.
 *
 * @param campaign whether it is the stream of campaigns, or that of all other mail
 * @param pausedBy account of the operator
 */
public record QueuePause(boolean campaign, String reason, UUID pausedBy, Instant pausedAt) {
}

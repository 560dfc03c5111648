package dev.mailroom.event;

import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * An entry of the event log before it is written.
 *
 * @param emailId the mail that the event belongs to; null for the other kinds
 * @param data the fields of the event, as endpoints and the feed show them; a mail's own
 * fields are added when the event is read
 */
public record Event(UUID accountId, EventKind kind, @Nullable UUID emailId, Map<String, Object> data) {
}

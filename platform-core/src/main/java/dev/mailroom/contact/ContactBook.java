package dev.mailroom.contact;

import java.time.Instant;
import java.util.UUID;

/**
 * A list of contacts that campaigns are sent to.
 *
 * @param contacts number of contacts, subscribed or not
 */
public record ContactBook(UUID id, UUID accountId, String name, long contacts, Instant createdAt, Instant updatedAt) {
}

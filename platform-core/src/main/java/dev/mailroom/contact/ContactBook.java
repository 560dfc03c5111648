package dev.mailroom.contact;

import java.time.Instant;
import java.util.UUID;

/**
 * Contacts that are written to together.
 *
 * @param contacts how many there are in it
 */
public record ContactBook(UUID id, UUID accountId, String name, long contacts, Instant createdAt, Instant updatedAt) {
}

package dev.mailroom.image;

import java.time.Instant;
import java.util.UUID;

import dev.mailroom.Page;

/**
 * An image of an account.
 *
 * @param name the name of its file
 * @param type its media type
 * @param size number of bytes
 */
public record Image(UUID id, UUID accountId, String name, String type, int size,
		Instant createdAt) implements Page.Item {
}

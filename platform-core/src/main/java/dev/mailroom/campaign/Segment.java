package dev.mailroom.campaign;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/**
 * A condition on contacts under a name.
 *
 * @param filter as the filter of a campaign, which gets a copy of it
 */
public record Segment(UUID id, UUID accountId, String name, Map<String, Object> filter, Instant createdAt,
		Instant updatedAt) {
}

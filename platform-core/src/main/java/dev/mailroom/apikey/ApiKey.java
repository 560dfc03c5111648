package dev.mailroom.apikey;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A key as it may be shown: never its secret.
 *
 * @param prefix what it is found and recognized by
 * @param permissions what it may do
 * @param lastUsedAt to the minute; null before its first use
 */
public record ApiKey(UUID id, UUID accountId, UUID domainId, String name, String prefix, List<String> permissions,
		Instant createdAt, @Nullable Instant lastUsedAt) {

	/** A new key with the whole secret text, which nobody sees again. */
	public record Issued(ApiKey key, String text) {
	}

}

package dev.mailroom.account;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * An API key without its secret.
 *
 * @param prefix public part of the key, by which it is found
 * @param permissions names of the permissions, such as {@code send}
 * @param lastUsedAt time of the last use, accurate to a minute; null before the first
 */
public record ApiKey(UUID id, UUID accountId, UUID domainId, String name, String prefix, List<String> permissions,
		Instant createdAt, @Nullable Instant lastUsedAt) {

	/** A new key with its complete text, which is not stored. */
	public record Issued(ApiKey key, String text) {
	}

}

package dev.mailroom.api.account;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.mailroom.account.ApiKey;
import org.jspecify.annotations.Nullable;

/** JSON form of an API key, without its secret. */
record KeyView(UUID id, UUID domainId, String keyPrefix, String keyName, List<String> permissions, Instant createdAt,
		@Nullable Instant lastUsedAt) {

	static KeyView of(ApiKey key) {
		return new KeyView(key.id(), key.domainId(), key.prefix(), key.name(), key.permissions(), key.createdAt(),
				key.lastUsedAt());
	}

	/** JSON form of a new API key, the only one with its complete text. */
	record Created(UUID id, String key, String keyPrefix, String keyName, List<String> permissions, Instant createdAt) {

		static Created of(ApiKey.Issued issued) {
			ApiKey key = issued.key();
			return new Created(key.id(), issued.text(), key.prefix(), key.name(), key.permissions(), key.createdAt());
		}

	}

}

package dev.mailroom.sdk;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * An api key.
 *
 * @param account Whether the key is of the whole account.
 * @param domainId Null for a key of the whole account.
 * @param expiresAt When the key is refused from; null if it does not expire.
 */
public record ApiKey(String id, boolean account, @Nullable String domainId, String keyPrefix, String keyName,
		List<Permission> permissions, Instant createdAt, @Nullable Instant expiresAt, @Nullable Instant lastUsedAt) {

	static ApiKey of(JsonObject json) {
		return new ApiKey(json.text("id"), json.bool("account"), json.textOrNull("domain_id"), json.text("key_prefix"),
				json.text("key_name"), json.texts("permissions").stream().map(Permission::new).toList(),
				json.time("created_at"), json.timeOrNull("expires_at"), json.timeOrNull("last_used_at"));
	}

}

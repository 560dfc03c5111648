package dev.mailroom.account;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import org.jspecify.annotations.Nullable;

/**
 * An API key without its secret.
 *
 * @param domainId the only domain that it may use; null for the whole account
 * @param prefix public part of the key, by which it is found
 * @param permissions names of the permissions, such as {@code send}
 * @param expiresAt the time from which it is refused; null for none
 * @param lastUsedAt time of the last use, accurate to a minute; null before the first
 * @param createdBy the person who created it; null if unknown
 * @param lastUsedFrom network address of the last use; null if unknown
 */
public record ApiKey(UUID id, UUID accountId, @Nullable UUID domainId, String name, String prefix,
		List<String> permissions, Instant createdAt, @Nullable Instant expiresAt, @Nullable Instant lastUsedAt,
		@Nullable UUID createdBy, @Nullable String lastUsedFrom) implements Page.Item {

	/** Limits of what a request with the key may read and write. */
	public Scope scope() {
		return new Scope(this.accountId, this.domainId, this.id, null, Permission.isSandboxed(this.permissions));
	}

	/** Whether the key is refused at a time because it has expired. */
	public boolean isExpired(Instant now) {
		return this.expiresAt != null && !now.isBefore(this.expiresAt);
	}

	/** A new key with its complete text, which is not stored. */
	public record Issued(ApiKey key, String text) {
	}

}

package dev.mailroom.api.account;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.mailroom.account.Account;
import dev.mailroom.account.ApiKey;
import dev.mailroom.domain.Domain;
import org.jspecify.annotations.Nullable;

/**
 * JSON form of an API key, without its secret.
 *
 * @param account whether it is of the whole account
 * @param domainId null if it is of the whole account
 */
record KeyView(UUID id, boolean account, @Nullable UUID domainId, String keyPrefix, String keyName,
		List<String> permissions, Instant createdAt, @Nullable Instant expiresAt, @Nullable Instant lastUsedAt) {

	static KeyView of(ApiKey key) {
		return new KeyView(key.id(), key.domainId() == null, key.domainId(), key.prefix(), key.name(),
				key.permissions(), key.createdAt(), key.expiresAt(), key.lastUsedAt());
	}

	/** JSON form of a new key, the only one with its complete text. */
	static Object created(ApiKey.Issued issued) {
		ApiKey key = issued.key();
		return (key.domainId() != null)
				? new Created(key.id(), issued.text(), key.prefix(), key.name(), key.permissions(), key.createdAt())
				: new CreatedForAccount(key.id(), issued.text(), key.prefix(), key.name(), key.permissions(),
						key.createdAt(), true, null, key.expiresAt());
	}

	/** JSON form of a new key of a domain, with exactly the fields of the contract. */
	record Created(UUID id, String key, String keyPrefix, String keyName, List<String> permissions, Instant createdAt) {
	}

	/** JSON form of a new key of the whole account. */
	record CreatedForAccount(UUID id, String key, String keyPrefix, String keyName, List<String> permissions,
			Instant createdAt, boolean account, @Nullable UUID domainId, @Nullable Instant expiresAt) {
	}

	/**
	 * JSON form of the key of a request, with what it belongs to.
	 *
	 * @param domain null for a key of the whole account
	 */
	record Current(@JsonProperty("apiKey") KeyView apiKey, Domain.@Nullable Named domain, PlanOf account) {

		static Current of(ApiKey key, @Nullable Domain domain, Account account) {
			return new Current(KeyView.of(key), (domain != null) ? new Domain.Named(domain.id(), domain.name()) : null,
					new PlanOf(account.id(), account.plan()));
		}

	}

	/** An account with the name of its plan. */
	record PlanOf(UUID id, String plan) {
	}

}

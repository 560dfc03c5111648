package dev.mailroom;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * On whose behalf something is asked for: an account and, where an API key asks, the one
 * domain that the key may see. Every query of a feature takes one.
 *
 * @param account the account that owns whatever is read or written
 * @param domain the only domain in sight, or null where all of the account's are
 * @param apiKey the key that asks, or null where a person does
 */
public record Scope(UUID account, @Nullable UUID domain, @Nullable UUID apiKey) {

	/** A person's scope: the whole account. */
	public static Scope of(UUID account) {
		return new Scope(account, null, null);
	}

	/** An API key's scope: one domain of the account. */
	public static Scope of(UUID account, UUID domain, UUID apiKey) {
		return new Scope(account, domain, apiKey);
	}
}

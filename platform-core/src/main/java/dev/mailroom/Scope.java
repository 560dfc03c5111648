package dev.mailroom;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Limits of what a request may read and write: one account and, for an API key, one
 * domain of it. Every query of a feature takes one.
 *
 * @param account the account that owns the data
 * @param domain the only accessible domain; null for all domains of the account
 * @param apiKey the key that authenticated the request; null for a person
 * @param member the person who signed in; null for the founder of the account, whose id
 * is that of the account, and for API keys
 */
public record Scope(UUID account, @Nullable UUID domain, @Nullable UUID apiKey, @Nullable UUID member) {

	/** The scope of a person: the whole account. */
	public static Scope of(UUID account) {
		return new Scope(account, null, null, null);
	}

	/** The same scope for one of the people who sign in to the account. */
	public Scope by(UUID person) {
		return new Scope(this.account, this.domain, this.apiKey, person.equals(this.account) ? null : person);
	}

	/** The scope of the person who signed in, for their own sign-in data. */
	public Scope person() {
		return of((this.member != null) ? this.member : this.account);
	}

	/** The scope of an API key: one domain of the account. */
	public static Scope of(UUID account, UUID domain, UUID apiKey) {
		return new Scope(account, domain, apiKey, null);
	}
}

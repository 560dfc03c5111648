package dev.mailroom;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Limits of what a request may read and write: one account and, for the API key of a
 * domain, that domain. Every query of a feature takes one.
 *
 * @param account the account that owns the data
 * @param domain the only accessible domain; null for all domains of the account
 * @param apiKey the key that authenticated the request; null for a person
 * @param member the person who signed in; null for the founder of the account, whose id
 * is that of the account, and for API keys
 * @param sandbox whether mail may be sent to recipients of the sandbox only
 */
public record Scope(UUID account, @Nullable UUID domain, @Nullable UUID apiKey, @Nullable UUID member,
		boolean sandbox) {

	/** The scope of a person: the whole account. */
	public static Scope of(UUID account) {
		return new Scope(account, null, null, null, false);
	}

	/** The same scope for one of the people who sign in to the account. */
	public Scope by(UUID person) {
		return new Scope(this.account, this.domain, this.apiKey, person.equals(this.account) ? null : person,
				this.sandbox);
	}

	/** The same scope, narrowed to a domain. */
	public Scope within(UUID only) {
		return new Scope(this.account, only, this.apiKey, this.member, this.sandbox);
	}

	/** The scope of the person who signed in, for their own sign-in data. */
	public Scope person() {
		return of((this.member != null) ? this.member : this.account);
	}

	/** The scope of the API key of a domain. */
	public static Scope of(UUID account, UUID domain, UUID apiKey) {
		return new Scope(account, domain, apiKey, null, false);
	}
}

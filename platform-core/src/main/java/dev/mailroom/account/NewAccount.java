package dev.mailroom.account;

import java.time.Instant;
import java.util.UUID;

import dev.mailroom.EmailAddress;
import org.jspecify.annotations.Nullable;

/**
 * Row of an account to insert.
 *
 * @param secondOf the account that has the address already; null if there is none
 */
record NewAccount(UUID accountId, String email, String emailKey, String name, @Nullable String passwordHash,
		@Nullable Instant emailVerifiedAt, String plan, String role, Instant createdAt, @Nullable UUID secondOf,
		String timeZone) {

	/** Time zone of accounts that chose none. */
	static final String UTC = "UTC";

	static NewAccount tenant(UUID id, EmailAddress email, String name, @Nullable String hash, String plan, Instant at) {
		return new NewAccount(id, email.toString(), email.key(), name, hash, null, plan, "tenant", at, null, UTC);
	}

	/** The same account with a time zone. */
	NewAccount in(String zone) {
		return new NewAccount(this.accountId, this.email, this.emailKey, this.name, this.passwordHash,
				this.emailVerifiedAt, this.plan, this.role, this.createdAt, this.secondOf, zone);
	}

	/** The same account with a verified address. */
	NewAccount verified() {
		return new NewAccount(this.accountId, this.email, this.emailKey, this.name, this.passwordHash, this.createdAt,
				this.plan, this.role, this.createdAt, this.secondOf, this.timeZone);
	}

	/** The same account as an operator's, without limits. */
	NewAccount operator() {
		return new NewAccount(this.accountId, this.email, this.emailKey, this.name, this.passwordHash,
				this.emailVerifiedAt, "unlimited", "operator", this.createdAt, this.secondOf, this.timeZone);
	}

	/** The same row for a person who signs in to another account. */
	NewAccount member() {
		return new NewAccount(this.accountId, this.email, this.emailKey, this.name, this.passwordHash,
				this.emailVerifiedAt, this.plan, "member", this.createdAt, this.secondOf, this.timeZone);
	}

	/** The same account as a second registration of its address. */
	NewAccount secondOf(UUID first) {
		return new NewAccount(this.accountId, this.email, "second:" + this.accountId, this.name, this.passwordHash,
				this.emailVerifiedAt, this.plan, this.role, this.createdAt, first, this.timeZone);
	}

	/** The account as it is read after the insert. */
	Account account() {
		return new Account(this.accountId, this.email, this.name, this.emailVerifiedAt != null, this.plan, this.role,
				null, this.createdAt, this.timeZone);
	}
}

package dev.mailroom.account;

import java.time.Instant;
import java.util.UUID;

import dev.mailroom.EmailAddress;
import org.jspecify.annotations.Nullable;

/** A row to be inserted where its address is free. */
record NewAccount(UUID accountId, String email, String emailKey, String name, @Nullable String passwordHash,
		@Nullable Instant emailVerifiedAt, String plan, String role, Instant createdAt) {

	static NewAccount tenant(UUID id, EmailAddress email, String name, @Nullable String hash, String plan, Instant at) {
		return new NewAccount(id, email.toString(), email.key(), name, hash, null, plan, "tenant", at);
	}

	/** The same, with its address known to be the owner's. */
	NewAccount verified() {
		return new NewAccount(this.accountId, this.email, this.emailKey, this.name, this.passwordHash, this.createdAt,
				this.plan, this.role, this.createdAt);
	}

	/** The same, as an operator, who owns the place. */
	NewAccount operator() {
		return new NewAccount(this.accountId, this.email, this.emailKey, this.name, this.passwordHash,
				this.emailVerifiedAt, "unlimited", "operator", this.createdAt);
	}

	/** How the owner sees it. */
	Account account() {
		return new Account(this.accountId, this.email, this.name, this.emailVerifiedAt != null, this.plan, this.role,
				null, this.createdAt);
	}
}

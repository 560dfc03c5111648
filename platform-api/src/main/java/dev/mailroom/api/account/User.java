package dev.mailroom.api.account;

import java.time.Instant;
import java.util.UUID;

import dev.mailroom.account.Account;

/** An account as its owner sees it. */
record User(UUID id, String email, String name, boolean emailVerified, String plan, Instant createdAt) {

	static User of(Account account) {
		return new User(account.id(), account.email(), account.name(), account.emailVerified(), account.plan(),
				account.createdAt());
	}
}

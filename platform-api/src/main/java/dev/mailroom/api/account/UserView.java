package dev.mailroom.api.account;

import java.time.Instant;
import java.util.UUID;

import dev.mailroom.account.Account;

/** JSON form of an account. */
record UserView(UUID id, String email, String name, boolean emailVerified, String plan, Instant createdAt) {

	static UserView of(Account account) {
		return new UserView(account.id(), account.email(), account.name(), account.emailVerified(), account.plan(),
				account.createdAt());
	}
}

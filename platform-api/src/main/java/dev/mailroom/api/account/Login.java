package dev.mailroom.api.account;

import dev.mailroom.account.Credentials;
import dev.mailroom.account.Secret;
import org.jspecify.annotations.Nullable;

/** Signs in. */
record Login(@Nullable String email, @Nullable Secret password) {

	Credentials credentials() {
		return Credentials.of(this.email, this.password);
	}
}

package dev.mailroom.api.account;

import dev.mailroom.account.Fields;
import dev.mailroom.account.Secret;
import org.jspecify.annotations.Nullable;

/** Follows the link in a verification mail. */
record Follow(@Nullable Secret token) {

	Secret link() {
		return Fields.requiredToken("token", this.token);
	}
}

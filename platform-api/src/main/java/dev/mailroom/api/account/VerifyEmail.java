package dev.mailroom.api.account;

import dev.mailroom.account.FieldReader;
import dev.mailroom.account.Secret;
import org.jspecify.annotations.Nullable;

/** Follows the link in a verification mail. */
record VerifyEmail(@Nullable Secret token) {

	Secret link() {
		return FieldReader.requiredToken("token", this.token);
	}
}

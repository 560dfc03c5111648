package dev.mailroom.api.account;

import dev.mailroom.account.FieldReader;
import dev.mailroom.account.Secret;
import org.jspecify.annotations.Nullable;

/** Shows a refresh token: to go on, or to end. */
record Refresh(@Nullable Secret refreshToken) {

	Secret token() {
		return FieldReader.requiredToken("refresh_token", this.refreshToken);
	}
}

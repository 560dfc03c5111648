package dev.mailroom.api.account;

import com.fasterxml.jackson.annotation.JsonAlias;
import dev.mailroom.account.PasswordResetRequest;
import dev.mailroom.account.Secret;
import org.jspecify.annotations.Nullable;

/** Follows the link in a reset mail, with the password from now on. */
record ResetPassword(@Nullable Secret token, @JsonAlias( {
		"new_password", "newPassword" }) @Nullable Secret password){

	PasswordResetRequest redemption() {
		return PasswordResetRequest.of(this.token, this.password);
	}
}

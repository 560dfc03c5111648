package dev.mailroom.api.account;

import com.fasterxml.jackson.annotation.JsonAlias;
import dev.mailroom.account.AccountUpdate;
import dev.mailroom.account.Secret;
import org.jspecify.annotations.Nullable;

/** Changes one's own account; what is left out stays. */
record UpdateAccount(@Nullable String name, @Nullable Secret currentPassword, @JsonAlias( {
		"new_password", "newPassword" }) @Nullable Secret password){

	AccountUpdate amendment() {
		return AccountUpdate.of(this.name, this.currentPassword, this.password);
	}
}

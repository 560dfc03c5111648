package dev.mailroom.api.account;

import dev.mailroom.EmailAddress;
import dev.mailroom.account.Fields;
import org.jspecify.annotations.Nullable;

/** Asks for a mail to an address. */
record WriteTo(@Nullable String email) {

	EmailAddress address() {
		return Fields.requiredAddress(this.email);
	}
}

package dev.mailroom.api.account;

import dev.mailroom.EmailAddress;
import dev.mailroom.account.FieldReader;
import org.jspecify.annotations.Nullable;

/** Asks for a mail to an address. */
record ResendVerification(@Nullable String email) {

	EmailAddress address() {
		return FieldReader.requiredAddress(this.email);
	}
}

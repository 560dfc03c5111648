package dev.mailroom.api.account;

import dev.mailroom.account.Applicant;
import dev.mailroom.account.Secret;
import org.jspecify.annotations.Nullable;

/** Asks for an account. */
record Register(@Nullable String email, @Nullable Secret password, @Nullable String name) {

	Applicant applicant() {
		return Applicant.of(this.email, this.password, this.name);
	}
}

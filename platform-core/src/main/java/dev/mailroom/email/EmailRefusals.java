package dev.mailroom.email;

import dev.mailroom.Refusal;

/** Every way a mail can be turned away, row for row with the contract. */
final class EmailRefusals {

	static final Refusal INVALID = Refusal.invalid("Validation error");

	static final Refusal EMAIL_NOT_VERIFIED = Refusal.forbidden("Email not verified");

	static final Refusal PAUSED = Refusal.forbidden("Account paused");

	static final Refusal DOMAIN_NOT_VERIFIED = Refusal.forbidden("Domain not verified");

	static final Refusal FROM_MISMATCH = Refusal.forbidden("From domain mismatch");

	static final Refusal PROCESSED = Refusal.invalid("Email already processed");

	static final Refusal NOT_FOUND = Refusal.notFound("Email not found");

	static final Refusal BUSY = Refusal.unavailable("Service unavailable");

	private EmailRefusals() {
	}

}

package dev.mailroom.mail.draft;

import dev.mailroom.Refusal;

/** Refusals of the routes about emails, one per error row of the contract. */
public final class EmailRefusals {

	public static final Refusal INVALID = Refusal.invalid("Validation error");

	public static final Refusal EMAIL_NOT_VERIFIED = Refusal.forbidden("Email not verified");

	public static final Refusal PAUSED = Refusal.forbidden("Account paused");

	public static final Refusal DOMAIN_NOT_VERIFIED = Refusal.forbidden("Domain not verified");

	public static final Refusal FROM_MISMATCH = Refusal.forbidden("From domain mismatch");

	public static final Refusal FORBIDDEN = Refusal.forbidden("Forbidden");

	public static final Refusal PROCESSED = Refusal.invalid("Email already processed");

	public static final Refusal NOT_FOUND = Refusal.notFound("Email not found");

	public static final Refusal BUSY = Refusal.unavailable("Service unavailable");

	private EmailRefusals() {
	}

}

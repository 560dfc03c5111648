package dev.mailroom.mail.draft;

import java.util.List;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;

/** Refusals of the routes about emails, one per error row of the contract. */
public final class EmailRefusals {

	public static final Refusal INVALID = Refusal.invalid("Validation error");

	public static final Refusal EMAIL_NOT_VERIFIED = Refusal.forbidden("Email not verified");

	public static final Refusal PAUSED = Refusal.forbidden("Account paused");

	public static final Refusal DOMAIN_NOT_VERIFIED = Refusal.forbidden("Domain not verified");

	public static final Refusal FROM_MISMATCH = Refusal.forbidden("From domain mismatch");

	public static final Refusal PROCESSED = Refusal.invalid("Email already processed");

	public static final Refusal NOT_FOUND = Refusal.notFound("Email not found");

	public static final Refusal BUSY = Refusal.unavailable("Service unavailable");

	private EmailRefusals() {
	}

	/** Refuses a mail for its fields; the message names the first of them. */
	public static Refused invalid(List<Refusal.Detail> errors) {
		Refusal.Detail first = errors.getFirst();
		String more = (errors.size() > 1) ? " (and " + (errors.size() - 1) + " more, see details)" : "";
		return INVALID.because(first.field() + " " + first.message() + more, errors);
	}

}

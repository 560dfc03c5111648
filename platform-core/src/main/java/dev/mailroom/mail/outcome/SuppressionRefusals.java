package dev.mailroom.mail.outcome;

import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;

/** Refusals of the suppression feature, one per error row of the contract. */
final class SuppressionRefusals {

	static final Refusal NOT_FOUND = Refusal.notFound("Suppression not found");

	private SuppressionRefusals() {
	}

	static Refused missing(UUID id) {
		return NOT_FOUND.because("There is no suppression " + id);
	}

}

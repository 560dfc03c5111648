package dev.mailroom.suppression;

import dev.mailroom.Refusal;

/**
 * Every way the suppression list can be refused a change, row for row with the contract.
 */
final class SuppressionRefusals {

	static final Refusal INVALID = Refusal.invalid("Invalid request data");

	static final Refusal NOT_FOUND = Refusal.notFound("Suppression not found");

	private SuppressionRefusals() {
	}

}

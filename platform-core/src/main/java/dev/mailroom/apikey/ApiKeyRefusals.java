package dev.mailroom.apikey;

import dev.mailroom.Refusal;

/** Every way a key can be refused, row for row with the contract. */
final class ApiKeyRefusals {

	static final Refusal INVALID = Refusal.invalid("Invalid request data");

	static final Refusal NOT_FOUND = Refusal.notFound("API key not found");

	static final Refusal DOMAIN_NOT_FOUND = Refusal.notFound("Domain not found");

	static final Refusal DOMAIN_NOT_VERIFIED = Refusal.invalid("Domain not verified");

	/** A 400 here, as the contract has it. */
	static final Refusal DUPLICATE = Refusal.invalid("Duplicate name");

	private ApiKeyRefusals() {
	}

}

package dev.mailroom.account;

import dev.mailroom.Refusal;

/** Refusals of the API key feature, one per error row of the contract. */
final class ApiKeyRefusals {

	static final Refusal NOT_FOUND = Refusal.notFound("API key not found");

	static final Refusal FORBIDDEN = Refusal.forbidden("Forbidden");

	static final Refusal DOMAIN_NOT_FOUND = Refusal.notFound("Domain not found");

	static final Refusal DOMAIN_NOT_VERIFIED = Refusal.invalid("Domain not verified");

	/** The contract gives this error the status 400. */
	static final Refusal DUPLICATE = Refusal.invalid("Duplicate name");

	private ApiKeyRefusals() {
	}

}

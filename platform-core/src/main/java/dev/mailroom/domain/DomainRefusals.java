package dev.mailroom.domain;

import java.time.Duration;
import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;

/** Refusals of the domain feature, one per error row of the contract. */
final class DomainRefusals {

	static final Refusal NOT_FOUND = Refusal.notFound("Domain not found");

	static final Refusal DUPLICATE = Refusal.conflict("Duplicate name");

	static final Refusal LIMIT = Refusal.forbidden("Domain limit reached");

	static final Refusal FORBIDDEN = Refusal.forbidden("Forbidden");

	private static final Refusal BUSY = Refusal.unavailable("Service unavailable");

	private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

	private DomainRefusals() {
	}

	static Refused name(String message) {
		return invalid("name", message);
	}

	static Refused invalid(String field, String message) {
		return Refusal.INVALID_REQUEST.field(field, message);
	}

	static Refused notFound(UUID id) {
		return NOT_FOUND.because("There is no domain " + id);
	}

	static Refused duplicate(String name) {
		return DUPLICATE.because("This account already has the domain " + name);
	}

	static Refused limit() {
		return LIMIT.because("The plan allows no more domains: delete one, or choose a larger plan");
	}

	static Refused busy() {
		return BUSY.because("Too many keys are being generated at the moment: try again shortly")
			.retryAfter(RETRY_AFTER);
	}

	static Refused transport() {
		return FORBIDDEN.because("The operator of this platform selects the transport of this domain's mail");
	}

}

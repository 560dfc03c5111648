package dev.mailroom.domain;

import java.util.List;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;

/** Every way a domain can be refused, row for row with the contract. */
final class DomainRefusals {

	static final Refusal INVALID = Refusal.invalid("Invalid request data");

	static final Refusal NOT_FOUND = Refusal.notFound("Domain not found");

	static final Refusal DUPLICATE = Refusal.conflict("Duplicate name");

	static final Refusal LIMIT = Refusal.forbidden("Domain limit reached");

	private DomainRefusals() {
	}

	static Refused name(String message) {
		return invalid("name", message);
	}

	static Refused invalid(String field, String message) {
		return INVALID.because(field + " " + message, List.of(new Refusal.Detail(field, message)));
	}

}

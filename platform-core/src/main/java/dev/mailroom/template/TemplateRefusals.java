package dev.mailroom.template;

import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;

/** Refusals of the template feature, one per error row of the contract. */
final class TemplateRefusals {

	static final Refusal NOT_FOUND = Refusal.notFound("Template not found");

	static final Refusal DUPLICATE = Refusal.conflict("Duplicate name");

	private TemplateRefusals() {
	}

	static Refused missing(UUID id) {
		return NOT_FOUND.because("There is no template " + id);
	}

	static Refused duplicate(String name) {
		return DUPLICATE.because("A template named " + name + " already exists");
	}

	static Refused invalid(String field, String message) {
		return Refusal.INVALID_REQUEST.field(field, message);
	}

}

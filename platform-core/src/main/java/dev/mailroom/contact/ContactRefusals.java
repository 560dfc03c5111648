package dev.mailroom.contact;

import java.util.List;
import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;

/** Every way a contact or its book can be refused, row for row with the contract. */
final class ContactRefusals {

	static final Refusal INVALID = Refusal.invalid("Invalid request data");

	static final Refusal BOOK_NOT_FOUND = Refusal.notFound("Contact book not found");

	static final Refusal BOOK_LIMIT = Refusal.forbidden("Contact book limit reached");

	static final Refusal NOT_FOUND = Refusal.notFound("Contact not found");

	static final Refusal LIMIT = Refusal.forbidden("Contact limit reached");

	static final Refusal DUPLICATE = Refusal.conflict("Duplicate contact");

	private ContactRefusals() {
	}

	static Refused noBook(UUID id) {
		return BOOK_NOT_FOUND.because("There is no contact book " + id);
	}

	static Refused noContact(UUID id) {
		return NOT_FOUND.because("There is no contact " + id + " in this contact book");
	}

	static Refused name(String message) {
		return INVALID.because("name " + message, List.of(new Refusal.Detail("name", message)));
	}

}

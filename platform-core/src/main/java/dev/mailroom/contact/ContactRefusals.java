package dev.mailroom.contact;

import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;

/** Refusals of the contact feature, one per error row of the contract. */
final class ContactRefusals {

	static final Refusal BOOK_NOT_FOUND = Refusal.notFound("Contact book not found");

	static final Refusal BOOK_LIMIT = Refusal.forbidden("Contact book limit reached");

	static final Refusal NOT_FOUND = Refusal.notFound("Contact not found");

	static final Refusal LIMIT = Refusal.forbidden("Contact limit reached");

	static final Refusal DUPLICATE = Refusal.conflict("Duplicate contact");

	static final Refusal LIMITED = Refusal.limited("Rate limit exceeded");

	private ContactRefusals() {
	}

	static Refused missingBook(UUID id) {
		return BOOK_NOT_FOUND.because("There is no contact book " + id);
	}

	static Refused bookLimit() {
		return BOOK_LIMIT.because("The plan allows no more contact books: delete one, or choose a larger plan");
	}

	static Refused missingContact(UUID id) {
		return NOT_FOUND.because("There is no contact " + id + " in this contact book");
	}

	static Refused contactLimit() {
		return LIMIT.because("The plan does not allow so many contacts: delete some, or choose a larger plan");
	}

	static Refused duplicateAddress(String email) {
		return DUPLICATE.because("This contact book already has a contact with the address " + email);
	}

	static Refused differentAddress(UUID id, String email) {
		return DUPLICATE.because("The contact " + id + " has an address other than " + email);
	}

	static Refused notPending() {
		return Refusal.INVALID_REQUEST.because("The contact does not wait for a confirmation");
	}

	static Refused tooManyMails() {
		return LIMITED.because("A contact is asked to confirm once a day, and three times in all");
	}

	static Refused invalidName(String field, String message) {
		return Refusal.INVALID_REQUEST.field(field, message);
	}

}

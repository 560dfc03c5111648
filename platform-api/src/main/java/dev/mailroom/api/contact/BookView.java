package dev.mailroom.api.contact;

import java.time.Instant;
import java.util.UUID;

import dev.mailroom.contact.ContactBook;

/** A contact book as it is shown. */
record BookView(UUID id, UUID userId, String name, Instant createdAt, Instant updatedAt) {

	static BookView of(ContactBook book) {
		return new BookView(book.id(), book.accountId(), book.name(), book.createdAt(), book.updatedAt());
	}

}

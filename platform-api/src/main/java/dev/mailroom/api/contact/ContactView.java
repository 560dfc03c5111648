package dev.mailroom.api.contact;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.contact.Contact;
import org.jspecify.annotations.Nullable;

/** A contact as it is shown. */
record ContactView(UUID id, UUID contactBookId, String email, String firstName, String lastName, boolean subscribed,
		Map<String, @Nullable Object> properties, Instant createdAt, Instant updatedAt) {

	static ContactView of(Contact contact) {
		return new ContactView(contact.id(), contact.contactBookId(), contact.email(), contact.firstName(),
				contact.lastName(), contact.subscribed(), contact.properties(), contact.createdAt(),
				contact.updatedAt());
	}

}

package dev.mailroom.api.contact;

import java.util.Map;

import dev.mailroom.contact.ContactForm;
import org.jspecify.annotations.Nullable;

/**
 * A contact to be added, or updated where its address is known: the body of POST and PUT,
 * and each element of a bulk call.
 */
record SaveContact(@Nullable String email, @Nullable String firstName, @Nullable String lastName,
		@Nullable Boolean subscribed, @Nullable Map<String, @Nullable Object> properties,
		@Nullable Boolean resubscribe) {

	/** The same, as the core takes it. */
	ContactForm form() {
		return new ContactForm(this.email, this.firstName, this.lastName, this.subscribed, this.properties,
				Boolean.TRUE.equals(this.resubscribe));
	}

}

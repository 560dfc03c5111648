package dev.mailroom.sdk;

import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A contact.
 *
 * @param firstName Empty if unknown.
 * @param lastName Empty if unknown.
 * @param consent Absent, with the fields below, if the book required no confirmation.
 * <code>pending</code>: not subscribed until the person confirms; <code>stated</code>:
 * the account states that the person has agreed; <code>confirmed</code>: by the link in a
 * mail. It stays when the person unsubscribes.
 * @param consentSource Origin of the request to subscribe; <code>form</code> is a page
 * opened from a mail.
 * @param consentIp Network address of that request. Empty if unknown.
 * @param confirmedIp Network address of the confirmation. Empty if there is none.
 */
public record Contact(String id, String contactBookId, String email, String firstName, String lastName,
		boolean subscribed, Map<String, @Nullable Object> properties, @Nullable String consent,
		@Nullable String consentSource, @Nullable Instant consentAt, @Nullable String consentIp,
		@Nullable Instant confirmedAt, @Nullable String confirmedIp, Instant createdAt, Instant updatedAt) {

	static Contact of(JsonObject json) {
		return new Contact(json.text("id"), json.text("contact_book_id"), json.text("email"), json.text("first_name"),
				json.text("last_name"), json.bool("subscribed"), json.map("properties"), json.textOrNull("consent"),
				json.textOrNull("consent_source"), json.timeOrNull("consent_at"), json.textOrNull("consent_ip"),
				json.timeOrNull("confirmed_at"), json.textOrNull("confirmed_ip"), json.time("created_at"),
				json.time("updated_at"));
	}

}

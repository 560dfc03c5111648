package dev.mailroom.contact;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The fields of a contact as a request gives them, not validated. A field that is null
 * stays as it is if the contact exists.
 *
 * @param resubscribe whether to subscribe the contact even if it has unsubscribed
 * @param origin the origin of the request
 */
public record ContactForm(@Nullable String email, @Nullable String firstName, @Nullable String lastName,
		@Nullable Boolean subscribed, @Nullable Map<String, @Nullable Object> properties, boolean resubscribe,
		Consent.Origin origin) {
}

package dev.mailroom.contact;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A contact as somebody asks for it, unread. Whatever is null stays as it is where the
 * contact exists.
 *
 * @param resubscribe whether somebody who has unsubscribed is to be written to again
 */
public record ContactForm(@Nullable String email, @Nullable String firstName, @Nullable String lastName,
		@Nullable Boolean subscribed, @Nullable Map<String, @Nullable Object> properties, boolean resubscribe) {
}

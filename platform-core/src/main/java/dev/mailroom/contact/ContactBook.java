package dev.mailroom.contact;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

import dev.mailroom.Page;
import org.jspecify.annotations.Nullable;

/**
 * A list of contacts that campaigns are sent to.
 *
 * @param publicName name that recipients see in place of the name; null for the name
 * @param contacts number of contacts, subscribed or not
 * @param doubleOptIn whether a new contact is subscribed only after the person has
 * confirmed the link in a mail
 */
public record ContactBook(UUID id, UUID accountId, String name, @Nullable String publicName, long contacts,
		boolean doubleOptIn, Instant createdAt, Instant updatedAt) implements Page.Item {

	/**
	 * Figures of a contact book.
	 *
	 * @param subscribed number of contacts that campaigns may be sent to
	 * @param added number of contacts that were added within {@link #PERIOD} and are
	 * still in the book
	 */
	public record Figures(UUID bookId, long subscribed, long added) {

		static final Duration PERIOD = Duration.ofDays(30);

	}

}

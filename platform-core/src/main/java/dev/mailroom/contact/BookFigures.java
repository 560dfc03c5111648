package dev.mailroom.contact;

import java.time.Duration;
import java.util.UUID;

/**
 * Figures of a contact book.
 *
 * @param subscribed number of contacts that campaigns may be sent to
 * @param added number of contacts that were added within {@link #PERIOD} and are still in
 * the book
 */
public record BookFigures(UUID bookId, long subscribed, long added) {

	static final Duration PERIOD = Duration.ofDays(30);

}

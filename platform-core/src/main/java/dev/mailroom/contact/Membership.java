package dev.mailroom.contact;

import java.util.UUID;

/**
 * A contact's subscription to its book.
 *
 * @param book the book's name
 * @param subscribed whether campaigns may be sent to the contact
 */
public record Membership(UUID bookId, String book, boolean subscribed) {
}

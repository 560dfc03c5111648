package dev.mailroom.contact;

import java.util.UUID;

/**
 * Where somebody stands in a contact book.
 *
 * @param book the book's name
 * @param subscribed whether campaigns may write to them
 */
public record Membership(UUID bookId, String book, boolean subscribed) {
}

package dev.mailroom.mail.accept;

import java.util.UUID;

/**
 * Quota that a request needs; granted whole or not at all.
 *
 * @param count number of mails, at least one
 */
public record Reservation(UUID accountId, long count) {
}

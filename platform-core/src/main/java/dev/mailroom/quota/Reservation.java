package dev.mailroom.quota;

import java.util.UUID;

/**
 * Mails that an account asks to send together: all of them or none.
 *
 * @param count how many, at least one
 */
public record Reservation(UUID accountId, long count) {
}

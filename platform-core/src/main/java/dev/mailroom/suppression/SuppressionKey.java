package dev.mailroom.suppression;

import java.util.UUID;

/**
 * Somebody an account would send to.
 *
 * @param address lower-case
 */
public record SuppressionKey(UUID accountId, String address) {
}

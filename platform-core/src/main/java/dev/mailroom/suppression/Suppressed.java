package dev.mailroom.suppression;

/**
 * Somebody not to be written to again.
 *
 * @param reason hard_bounce, complaint, unsubscribe or manual
 */
public record Suppressed(SuppressionKey target, String reason) {
}

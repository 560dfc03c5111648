package dev.mailroom.suppression;

/** An address to be suppressed by the system. */
public record Suppressed(SuppressionKey target, SuppressionReason reason) {
}

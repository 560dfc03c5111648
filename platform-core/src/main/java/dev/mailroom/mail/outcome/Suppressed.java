package dev.mailroom.mail.outcome;

import dev.mailroom.mail.accept.SuppressionKey;

/** An address to be suppressed by the system. */
public record Suppressed(SuppressionKey target, SuppressionReason reason) {
}

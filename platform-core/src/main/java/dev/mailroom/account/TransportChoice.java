package dev.mailroom.account;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * The transport chosen for an account's mail.
 *
 * @param transport {@code relay} or {@code mx}; null for the platform's
 */
public record TransportChoice(UUID account, @Nullable String transport) {
}

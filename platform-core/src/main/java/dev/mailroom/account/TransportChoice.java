package dev.mailroom.account;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * By which way an account's mail leaves.
 *
 * @param transport relay or mx; null where the platform's is meant
 */
public record TransportChoice(UUID account, @Nullable String transport) {
}

package dev.mailroom.account;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * What must be known of an account before anybody has signed in to it.
 *
 * @param accountId whose it is
 * @param email where its owner is reached
 * @param passwordHash null where it signs in elsewhere or never
 * @param verified whether the address is the owner's
 * @param role its role
 */
record StoredCredentials(UUID accountId, String email, @Nullable String passwordHash, boolean verified, String role) {
}

package dev.mailroom.account;

import java.time.Instant;
import java.util.UUID;

/**
 * An invitation that was not accepted yet.
 *
 * @param role contract's name of the role that the person will have
 */
public record Invitation(UUID id, UUID accountId, String email, String role, Instant createdAt, Instant expiresAt) {
}

package dev.mailroom.token;

import java.util.UUID;

/**
 * A session of a person who signed in.
 *
 * @param id the {@code sid} claim of its access tokens
 * @param accountId the person who signed in
 * @param refreshToken the refresh token that was presented or issued last
 */
public record Session(UUID id, UUID accountId, Secret refreshToken) {
}

package dev.mailroom.account;

import java.util.UUID;

/**
 * A session of a person who signed in.
 *
 * @param id the {@code sid} claim of its access tokens
 * @param accountId the person who signed in
 * @param refreshToken the refresh token that was presented or issued last
 */
public record SignInSession(UUID id, UUID accountId, Secret refreshToken) {
}

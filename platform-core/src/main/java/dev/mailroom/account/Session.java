package dev.mailroom.account;

import java.util.UUID;

/**
 * One sign-in, wherever its refresh token has got to.
 *
 * @param id the sid of its access tokens
 * @param accountId who signed in
 */
record Session(UUID id, UUID accountId) {
}

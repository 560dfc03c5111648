package dev.mailroom.account;

import java.time.Duration;

/**
 * What somebody who signed in goes on with.
 *
 * @param accessToken shown with each request
 * @param lifetime how long the access token is good
 * @param refreshToken good for one more pair
 * @param account who signed in
 */
public record SignedIn(Secret accessToken, Duration lifetime, Secret refreshToken, Account account) {
}

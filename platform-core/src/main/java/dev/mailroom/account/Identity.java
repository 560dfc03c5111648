package dev.mailroom.account;

import dev.mailroom.EmailAddress;
import org.jspecify.annotations.Nullable;

/**
 * Whom an outside issuer says somebody is.
 *
 * @param issuer who says so
 * @param subject what the issuer calls them, for ever
 * @param email their address, where the issuer vouches for it; else null
 * @param name what they are called; may be empty
 */
public record Identity(String issuer, String subject, @Nullable EmailAddress email, String name) {
}

/**
 * Authentication of requests: an access token, a token of an outside issuer or an API key
 * becomes a {@code Caller}, for every protocol alike.
 */
@ApplicationModule(allowedDependencies = { "account", "apikey", "member", "token" })
@NullMarked
package dev.mailroom.authentication;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

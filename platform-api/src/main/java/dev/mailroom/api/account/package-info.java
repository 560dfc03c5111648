/**
 * Routes of accounts: registration, sign-in, second factor, team, API keys and usage.
 * Read {@code SignInController} first.
 */
@ApplicationModule(allowedDependencies = { "http" })
@NullMarked
package dev.mailroom.api.account;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

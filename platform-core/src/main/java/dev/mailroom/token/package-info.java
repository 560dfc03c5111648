/**
 * Tokens issued to people: access tokens and the keys that sign them, sessions with their
 * refresh tokens, and the one-time tokens of links in mails.
 */
@ApplicationModule(allowedDependencies = { "seal" })
@NullMarked
package dev.mailroom.token;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

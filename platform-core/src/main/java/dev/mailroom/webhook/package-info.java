/**
 * Webhook endpoints: where an account is told of what happened, and what they are owed.
 */
@ApplicationModule(allowedDependencies = { "event", "seal" })
@NullMarked
package dev.mailroom.webhook;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

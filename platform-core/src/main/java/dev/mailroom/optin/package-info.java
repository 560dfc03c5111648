/** Mails that ask contacts to confirm their subscription (double opt-in). */
@ApplicationModule(allowedDependencies = { "accept", "contact", "idempotency", "seal", "submission", "tracking" })
@NullMarked
package dev.mailroom.optin;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/**
 * The only way to send mail, shared by every protocol: a received request becomes checked
 * drafts, and these are accepted.
 */
@ApplicationModule(allowedDependencies = { "accept", "account", "domain", "idempotency", "template" })
@NullMarked
package dev.mailroom.submission;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/**
 * Calls of webhook endpoints. Read {@code Callout} first.
 */
@ApplicationModule(allowedDependencies = { "dispatch" })
@NullMarked
package dev.mailroom.worker.webhook;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

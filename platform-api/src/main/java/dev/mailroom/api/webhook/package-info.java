/** Webhook endpoints: making, switching and trying them, and what they were told. */
@ApplicationModule(allowedDependencies = { "http", "idempotency" })
@NullMarked
package dev.mailroom.api.webhook;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

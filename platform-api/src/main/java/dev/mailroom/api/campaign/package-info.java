/** The account's campaigns: written, tried out, scheduled, started and paused. */
@ApplicationModule(allowedDependencies = { "email", "http", "idempotency" })
@NullMarked
package dev.mailroom.api.campaign;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/** REST endpoints for the suppression list. */
@ApplicationModule(allowedDependencies = { "http", "idempotency" })
@NullMarked
package dev.mailroom.api.suppression;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/** Support for the Idempotency-Key header in REST routes. */
@ApplicationModule(allowedDependencies = "http")
@NullMarked
package dev.mailroom.api.idempotency;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

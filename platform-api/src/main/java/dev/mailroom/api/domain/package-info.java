/** REST endpoints for sending domains. */
@ApplicationModule(allowedDependencies = { "http", "idempotency" })
@NullMarked
package dev.mailroom.api.domain;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

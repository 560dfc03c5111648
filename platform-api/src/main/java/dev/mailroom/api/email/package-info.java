/** REST endpoints that send emails and show them. */
@ApplicationModule(allowedDependencies = { "http", "idempotency", "memory", "rate" })
@NullMarked
package dev.mailroom.api.email;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

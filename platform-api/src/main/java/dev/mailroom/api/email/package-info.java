/** Sending mail, and looking at what was sent. */
@ApplicationModule(allowedDependencies = { "http", "idempotency" })
@NullMarked
package dev.mailroom.api.email;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

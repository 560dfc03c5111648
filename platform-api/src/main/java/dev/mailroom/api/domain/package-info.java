/** The domains that an account sends from, and the records they publish. */
@ApplicationModule(allowedDependencies = { "http", "idempotency" })
@NullMarked
package dev.mailroom.api.domain;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/**
 * The addresses that an account's mail is never handed over to, as its owner keeps them.
 */
@ApplicationModule(allowedDependencies = { "http", "idempotency" })
@NullMarked
package dev.mailroom.api.suppression;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

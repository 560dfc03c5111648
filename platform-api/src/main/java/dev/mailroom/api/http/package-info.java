/**
 * Shared parts of all routes: errors, limits of memory and rate, pages and idempotency
 * keys. Read {@code ErrorHandler} first.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.api.http;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

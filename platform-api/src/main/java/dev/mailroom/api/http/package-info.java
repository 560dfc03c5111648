/**
 * What all routes share: errors, limits of memory and rate, request ids and idempotency
 * keys.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.api.http;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

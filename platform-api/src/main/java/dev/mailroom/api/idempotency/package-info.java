/** Reads the Idempotency-Key header, for those routes that heed it. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.api.idempotency;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

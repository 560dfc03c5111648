/** Idempotency keys: a retry with the same key repeats the response, not the work. */
@ApplicationModule(allowedDependencies = "wire")
@NullMarked
@Core.Tables("idempotency_key")
package dev.mailroom.idempotency;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

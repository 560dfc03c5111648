/** One key, one answer: what makes a client's retry harmless. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
@Core.Tables("idempotency_key")
package dev.mailroom.idempotency;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/** One key, one answer: what makes a client's retry harmless. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.idempotency;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

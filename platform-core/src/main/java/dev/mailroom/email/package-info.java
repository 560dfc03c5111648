/**
 * A mail from its draft to its place in the queue, and what its sender sees of it later.
 */
@ApplicationModule(allowedDependencies = { "accept", "event", "quota" })
@NullMarked
package dev.mailroom.email;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/**
 * The log of everything that happened, in order, and the outbox of what is owed for it.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.event;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

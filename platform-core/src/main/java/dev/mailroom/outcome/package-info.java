/**
 * Settlement: the result of each attempt, late bounces and complaints, dead letters.
 */
@ApplicationModule(allowedDependencies = { "event", "queue", "reputation", "seal", "suppression", "tracking", "wire" })
@NullMarked
package dev.mailroom.outcome;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

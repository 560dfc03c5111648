/**
 * The queue and the one funnel through which everything that happens to a delivery is
 * settled.
 */
@ApplicationModule(allowedDependencies = { "blob", "event", "reputation", "seal", "suppression", "tracking" })
@NullMarked
package dev.mailroom.outcome;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

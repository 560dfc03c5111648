/**
 * Checks of tracking domains, and orders of their certificates. Read
 * {@code TrackingProbe} first.
 */
@ApplicationModule(allowedDependencies = { "webhook" })
@NullMarked
package dev.mailroom.worker.tracking;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/**
 * The append-only log of events, written in the transaction that causes them.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.event;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

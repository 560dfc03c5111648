/**
 * The append-only log of events, written in the transaction that causes them, and the
 * trace that a request belongs to. Read {@code Events} first.
 */
@ApplicationModule(allowedDependencies = { "database" })
@NullMarked
@Core.Tables(writes = { "event" })
package dev.mailroom.event;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

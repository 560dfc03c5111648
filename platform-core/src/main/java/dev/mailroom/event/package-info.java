/** The append-only log of events, written in the transaction that causes them. */
@ApplicationModule(allowedDependencies = "wire")
@NullMarked
@Core.Tables("event")
package dev.mailroom.event;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

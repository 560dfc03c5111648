/** Meters, health, tracing and the log format of all apps. */
@NullMarked
package dev.mailroom.observability;

import org.jspecify.annotations.NullMarked;

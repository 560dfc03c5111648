/**
 * Meters, health, tracing and the log format of all apps. Read {@code Observability}
 * first.
 */
@NullMarked
package dev.mailroom.observability;

import org.jspecify.annotations.NullMarked;

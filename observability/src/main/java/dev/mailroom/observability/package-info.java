/** What operators see of every app: meters, health and the log's format. */
@NullMarked
package dev.mailroom.observability;

import org.jspecify.annotations.NullMarked;

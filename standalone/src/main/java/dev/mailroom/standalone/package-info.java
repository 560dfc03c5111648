/**
 * The standalone: Mailroom in one process, with an embedded PostgreSQL and Kafka by
 * default.
 */
@NullMarked
package dev.mailroom.standalone;

import org.jspecify.annotations.NullMarked;

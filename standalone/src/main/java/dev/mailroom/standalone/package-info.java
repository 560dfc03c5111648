/**
 * The standalone: Mailroom in one process, with an embedded PostgreSQL and Kafka by
 * default. Read {@code StartSequence} first.
 */
@NullMarked
package dev.mailroom.standalone;

import org.jspecify.annotations.NullMarked;

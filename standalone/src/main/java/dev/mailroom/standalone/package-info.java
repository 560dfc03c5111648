/** Mailroom in one process, with its own PostgreSQL and Kafka: the embedded default. */
@NullMarked
package dev.mailroom.standalone;

import org.jspecify.annotations.NullMarked;

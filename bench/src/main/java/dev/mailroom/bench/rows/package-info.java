/**
 * Benchmark: the rows of the table of goals, measured in interleaved rounds. Run with
 * {@code mvn -Pfigures package}.
 */
@NullMarked
package dev.mailroom.bench.rows;

import org.jspecify.annotations.NullMarked;

/**
 * Benchmarks: throughput and CPU time of Mailroom in comparison with other programs on
 * the same machine in the same run. Run with {@code mvn -Pfigures test}.
 */
@NullMarked
package dev.mailroom.bench;

import org.jspecify.annotations.NullMarked;

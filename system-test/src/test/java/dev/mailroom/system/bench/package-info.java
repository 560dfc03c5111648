/**
 * What Mailroom does in a second and what it costs, beside other programs on the same
 * machine in the same run. Nothing here is a test: {@code mvn -Pfigures test} runs it.
 */
@NullMarked
package dev.mailroom.system.bench;

import org.jspecify.annotations.NullMarked;

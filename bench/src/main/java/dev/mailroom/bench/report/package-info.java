/**
 * Results of the benchmark: the CSV file, the table of goals, the chart and the profile.
 */
@NullMarked
package dev.mailroom.bench.report;

import org.jspecify.annotations.NullMarked;

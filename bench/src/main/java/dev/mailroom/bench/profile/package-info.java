/** CPU time of the benchmark's programs by stage. */
@NullMarked
package dev.mailroom.bench.profile;

import org.jspecify.annotations.NullMarked;

/**
 * What Mailroom does in a second, beside what its parts could do on the same machine in
 * the same run.
 */
@NullMarked
package dev.mailroom.bench;

import org.jspecify.annotations.NullMarked;

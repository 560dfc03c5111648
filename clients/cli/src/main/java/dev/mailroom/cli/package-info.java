/**
 * The command mailroom. Read {@code Session} first: it has the options of all commands,
 * and finds the address and the key.
 */
@NullMarked
package dev.mailroom.cli;

import org.jspecify.annotations.NullMarked;

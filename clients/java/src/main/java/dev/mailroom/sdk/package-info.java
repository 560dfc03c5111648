/**
 * The client of Mailroom. Read {@code Mailroom} first. Records, bodies and most
 * operations are written by clients/generator.
 */
@NullMarked
package dev.mailroom.sdk;

import org.jspecify.annotations.NullMarked;

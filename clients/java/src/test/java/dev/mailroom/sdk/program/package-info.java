/** A program that uses the library as others do. */
@NullMarked
package dev.mailroom.sdk.program;

import org.jspecify.annotations.NullMarked;

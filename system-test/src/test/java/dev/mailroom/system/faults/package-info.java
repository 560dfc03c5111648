/**
 * The crash table as a test: every place where a program may die, made to die there, and
 * what became of the mail.
 */
@NullMarked
package dev.mailroom.system.faults;

import org.jspecify.annotations.NullMarked;

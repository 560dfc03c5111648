/**
 * Checks of the content of a mail before it is sent: what its author should correct, and
 * what is in order. Read {@code ContentChecks} first.
 */
@ApplicationModule(allowedDependencies = { "brand" })
@NullMarked
package dev.mailroom.check;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/** Secrets at rest: sealed with the master key before they reach the database. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.seal;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/** Lets go of what was kept for long enough. */
@ApplicationModule(allowedDependencies = { "blob" })
@NullMarked
package dev.mailroom.retention;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/** Limits on the memory that requests and their responses use. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.api.memory;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/** Who calls, on whose behalf, and which routes are open to them. */
@ApplicationModule(allowedDependencies = "http")
@NullMarked
package dev.mailroom.api.security;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

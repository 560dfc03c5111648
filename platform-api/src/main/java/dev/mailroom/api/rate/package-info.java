/** How many requests an account may make in a second. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.api.rate;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

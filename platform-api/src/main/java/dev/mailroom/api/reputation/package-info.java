/** How receivers take what an account sends. */
@ApplicationModule(allowedDependencies = { "http" })
@NullMarked
package dev.mailroom.api.reputation;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/** Everything that happened to an account, to be read on from where one stopped. */
@ApplicationModule(allowedDependencies = "http")
@NullMarked
package dev.mailroom.api.event;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

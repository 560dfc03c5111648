/** The feed of events. */
@ApplicationModule(allowedDependencies = "http")
@NullMarked
package dev.mailroom.api.event;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

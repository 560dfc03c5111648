/** The feed of events. */
@ApplicationModule(allowedDependencies = "graphql")
@NullMarked
package dev.mailroom.admin.event;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/** Suppression lists. */
@ApplicationModule(allowedDependencies = "graphql")
@NullMarked
package dev.mailroom.admin.suppression;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

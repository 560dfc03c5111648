/** Reputation of an account over time. */
@ApplicationModule(allowedDependencies = "graphql")
@NullMarked
package dev.mailroom.admin.reputation;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

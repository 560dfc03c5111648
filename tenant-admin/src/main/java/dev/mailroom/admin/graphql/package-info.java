/**
 * Execution of GraphQL: limits of cost, rate and memory, errors, streams and scalars.
 * Read {@code Execution} first.
 */
@ApplicationModule(allowedDependencies = { "security" })
@NullMarked
package dev.mailroom.admin.graphql;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

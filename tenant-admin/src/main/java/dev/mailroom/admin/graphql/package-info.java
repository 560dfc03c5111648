/**
 * The GraphQL endpoint: limits, scalars, errors, pages and the caller of a request. Each
 * feature has its own package and schema file.
 */
@ApplicationModule(allowedDependencies = { "security", "limit" })
@NullMarked
package dev.mailroom.admin.graphql;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/**
 * Connections to PostgreSQL: a pool for each use, with time limits on both sides.
 */
@ApplicationModule(allowedDependencies = "wire")
@NullMarked
package dev.mailroom.pool;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

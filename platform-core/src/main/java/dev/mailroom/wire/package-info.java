/**
 * How values travel to PostgreSQL where the driver's own way costs too much.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.wire;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

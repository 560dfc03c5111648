/**
 * The shape of the database: who may change it, which version it has, and whether it
 * keeps what it is given.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
@Core.Tables("flyway_schema_history")
package dev.mailroom.schema;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

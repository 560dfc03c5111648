/**
 * The schema of the database: migrations, version and the check of durability settings.
 */
@ApplicationModule(allowedDependencies = "pool")
@NullMarked
@Core.Tables("flyway_schema_history")
package dev.mailroom.schema;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

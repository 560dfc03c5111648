/**
 * Access to PostgreSQL: transactions, connection pools with time limits on both sides,
 * encoding of parameters, migrations and the check of durability settings. Read {@code
 * Transactions} first.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
@Core.Tables(writes = { "flyway_schema_history" })
package dev.mailroom.database;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/**
 * The audit log: each change with its actor, written in the transaction of the change.
 * Read {@code Audits} first.
 */
@ApplicationModule(allowedDependencies = { "database" })
@NullMarked
@Core.Tables(writes = { "audit" }, functions = { "remove_audit" })
package dev.mailroom.audit;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

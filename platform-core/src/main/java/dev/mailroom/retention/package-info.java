/** Removal of data whose retention period is over, and monthly partitions. */
@ApplicationModule(allowedDependencies = { "accept", "account", "audit", "blob", "campaign", "email", "event",
		"idempotency", "inbound", "outcome", "token", "tracking", "traffic", "webhook", "wire" })
@NullMarked
@Core.Tables(value = {}, functions = { "create_partition", "drop_partitions", "first_id", "month_of",
		"partition_bounds", "partitioned_tables", "removable_month", "remove_month_counts", "stray_tables" })
package dev.mailroom.retention;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

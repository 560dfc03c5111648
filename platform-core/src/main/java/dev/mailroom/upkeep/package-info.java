/**
 * Work that repeats: removal of data whose retention period is over, monthly partitions,
 * the agenda of rare work, the mails of the platform itself, and renewal of stored
 * secrets. Read {@code Retention} first.
 */
@ApplicationModule(
		allowedDependencies = { "account", "audit", "blob", "campaign", "database", "domain", "event", "inbound",
				"mail.accept", "mail.draft", "mail.log", "mail.outcome", "operator", "secret", "tracking", "webhook" })
@NullMarked
@Core.Tables(value = {}, functions = { "create_partition", "drop_partitions", "first_id", "month_of",
		"partition_bounds", "partitioned_tables", "removable_month", "remove_month_counts", "stray_tables" })
package dev.mailroom.upkeep;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/**
 * Work that repeats: removal of data whose retention period is over, partitions, the
 * mails of the platform itself, and renewal of stored secrets. Read {@code Retention}
 * first.
 */
@ApplicationModule(allowedDependencies = { "account", "audit", "blob", "brand", "campaign", "database", "dmarcreport",
		"domain", "event", "inbound", "mail.accept", "mail.draft", "mail.log", "mail.outcome", "mail.queue", "move",
		"operator", "secret", "tlsreport", "tracking", "trackingdomain", "webhook" })
@NullMarked
@Core.Tables(writes = {},
		functions = { "create_partition", "days_from", "drop_partitions", "first_id", "first_of", "in_use_from",
				"missing_partitions", "month_of", "partition_bounds", "partition_by_day", "partition_specs",
				"partitioned_tables", "partitions_of", "period_of", "recount_from", "removable", "removable_month",
				"remove_call_counts", "remove_month_counts", "stray_tables" },
		removes = { "attachment", "campaign_link_person", "campaign_recipient", "dead_letter", "delivery",
				"delivery_attempt", "device_sign_in", "dmarc_report", "email", "email_content", "email_count", "event",
				"forward_hour", "idempotency_key", "inbound_attachment", "inbound_content", "inbound_email",
				"one_time_token", "provider_day", "session", "tls_report", "tracked_link", "traffic",
				"unexplained_refusal", "webhook_attempt", "webhook_delivery", "webhook_delivery_count" })
package dev.mailroom.upkeep;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

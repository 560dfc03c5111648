/**
 * The console of operators: their acts on accounts, plans, dead letters, destinations and
 * the queue, each with its audit row, automatic pauses of risky accounts, the state of
 * the platform, running workers and counts of traffic. Read {@code Platform} first.
 */
@ApplicationModule(allowedDependencies = { "account", "addresscheck", "audit", "campaign", "closure", "database",
		"dmarcreport", "domain", "inbound", "mail.outcome", "mail.queue", "site", "source", "tlspolicy", "tlsreport",
		"trackingdomain", "upkeep", "webhook" })
@NullMarked
@Core.Tables(writes = { "destination_report", "worker", "account_note", "traffic" })
package dev.mailroom.operator;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

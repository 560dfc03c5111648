/**
 * Mail after its acceptance: reading, search, rescheduling and cancelling, and usage
 * compared with the limits of the plan. Read {@code Emails} first.
 */
@ApplicationModule(allowedDependencies = { "account", "audit", "blob", "campaign", "contact", "database", "domain",
		"event", "mail.accept", "mail.draft", "mail.outcome", "mail.queue", "template" })
@NullMarked
@Core.Tables(writes = { "email_anchor", "email_count", "email_trouble" }, functions = { "email_count_slot" })
package dev.mailroom.mail.log;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/**
 * Deletion of accounts, and the archive of what an account has: owners ask for them, and
 * a job erases the rows and objects. Read {@code AccountDeletions} first.
 */
@ApplicationModule(allowedDependencies = { "account", "audit", "campaign", "contact", "database", "domain", "event",
		"inbound", "mail.outcome", "mail.queue", "move", "template", "upkeep", "webhook" })
@NullMarked
@Core.Tables(writes = "account_deletion", functions = { "ask_deletion", "begin_erasure", "cancel_deletion",
		"erase_step", "erased_tables", "finish_erasure" })
package dev.mailroom.closure;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/**
 * The delivery queue: leases, the fence, the content of deliveries that passed it, and
 * stops by operators. Read {@code Queue} first.
 */
@ApplicationModule(allowedDependencies = { "account", "blob", "campaign", "contact", "database", "domain", "event",
		"mail.draft", "mail.outcome", "secret", "source" })
@NullMarked
@Core.Tables(writes = { "email", "email_content", "attachment", "delivery", "queue", "delivery_state", "queue_reply",
		"destination_hold", "queue_pause" })
package dev.mailroom.mail.queue;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/**
 * Events as tenants receive them: calls of webhook endpoints, and the feed in commit
 * order. Read {@code WebhookCalls} first.
 */
@ApplicationModule(
		allowedDependencies = { "account", "audit", "database", "event", "mail.log", "mail.queue", "secret" })
@NullMarked
@Core.Tables(writes = { "webhook_endpoint", "webhook_state", "webhook_delivery", "webhook_delivery_count",
		"webhook_attempt" })
package dev.mailroom.webhook;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

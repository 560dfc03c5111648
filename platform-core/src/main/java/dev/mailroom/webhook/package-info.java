/** Webhook endpoints of accounts and the calls that report events to them. */
@ApplicationModule(allowedDependencies = { "accept", "account", "audit", "email", "event", "seal", "trace", "wire" })
@NullMarked
@Core.Tables({ "webhook_endpoint", "webhook_state", "webhook_delivery", "webhook_delivery_count", "webhook_attempt" })
package dev.mailroom.webhook;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

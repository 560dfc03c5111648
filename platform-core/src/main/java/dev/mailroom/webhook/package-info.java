/** Webhook endpoints of accounts and the calls that report events to them. */
@ApplicationModule(allowedDependencies = { "account", "audit", "event", "seal" })
@NullMarked
@Core.Tables({ "webhook_endpoint", "webhook_delivery" })
package dev.mailroom.webhook;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

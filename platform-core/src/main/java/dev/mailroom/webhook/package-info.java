/**
 * Webhook endpoints: where an account is told of what happened, and what they are owed.
 */
@ApplicationModule(allowedDependencies = { "account", "event", "seal" })
@NullMarked
@Core.Tables({ "webhook_endpoint", "webhook_delivery" })
package dev.mailroom.webhook;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/** Webhook endpoints and calls. Read {@code WebhookResolver} first. */
@ApplicationModule(allowedDependencies = { "graphql" })
@NullMarked
package dev.mailroom.admin.webhook;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

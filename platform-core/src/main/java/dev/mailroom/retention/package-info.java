/** Removal of data whose retention period is over. */
@ApplicationModule(allowedDependencies = { "accept", "account", "audit", "blob", "campaign", "event", "idempotency",
		"inbound", "outcome", "token", "tracking", "traffic", "webhook" })
@NullMarked
package dev.mailroom.retention;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/**
 * The delivery queue: leases, the fence, and the content of deliveries that passed it.
 */
@ApplicationModule(allowedDependencies = { "accept", "account", "blob", "campaign", "contact", "domain", "hold", "seal",
		"suppression", "trace", "wire" })
@NullMarked
package dev.mailroom.queue;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/** The state of the platform for operators: queue, endpoints, health checks. */
@ApplicationModule(allowedDependencies = { "accept", "account", "campaign", "domain", "fleet", "hold", "operation",
		"outcome", "reputation", "schema", "traffic", "webhook" })
@NullMarked
package dev.mailroom.oversight;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

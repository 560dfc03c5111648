/**
 * The platform's own mail: to account owners, and to the operator.
 */
@ApplicationModule(allowedDependencies = { "accept", "account", "domain", "idempotency", "seal", "submission", "token",
		"webhook" })
@NullMarked
package dev.mailroom.notice;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

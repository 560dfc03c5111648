/** Members of the caller's account, and invitations to join it. */
@ApplicationModule(allowedDependencies = { "http", "idempotency" })
@NullMarked
package dev.mailroom.api.team;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

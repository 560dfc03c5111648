/** REST endpoints for the reputation of accounts and domains. */
@ApplicationModule(allowedDependencies = { "http" })
@NullMarked
package dev.mailroom.api.reputation;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

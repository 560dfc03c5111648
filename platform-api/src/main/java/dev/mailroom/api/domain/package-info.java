/** REST endpoints for sending domains. */
@ApplicationModule(allowedDependencies = { "http" })
@NullMarked
package dev.mailroom.api.domain;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

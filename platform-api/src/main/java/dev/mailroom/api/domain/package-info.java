/** REST endpoints for sending domains. Read {@code DomainController} first. */
@ApplicationModule(allowedDependencies = { "http" })
@NullMarked
package dev.mailroom.api.domain;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

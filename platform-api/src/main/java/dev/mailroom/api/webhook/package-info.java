/** Webhook endpoints and the calls to them. Read {@code EndpointController} first. */
@ApplicationModule(allowedDependencies = { "http" })
@NullMarked
package dev.mailroom.api.webhook;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/** Responses of the HTTP server itself, to requests that it cannot read. */
@ApplicationModule(allowedDependencies = "http")
@NullMarked
package dev.mailroom.api.connection;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

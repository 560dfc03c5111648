/**
 * Limits on the connections of clients: their number, slow clients and malformed
 * requests.
 */
@ApplicationModule(allowedDependencies = "http")
@NullMarked
package dev.mailroom.api.connection;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

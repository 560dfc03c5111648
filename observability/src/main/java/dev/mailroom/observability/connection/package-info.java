/**
 * Limits on the clients of an app's HTTP port: their connections, slow clients, memory
 * for bodies and responses, and the network by which the limits of sign-in count.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.observability.connection;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

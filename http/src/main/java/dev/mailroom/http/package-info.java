/**
 * Shared parts of the apps with an HTTP port: their connections, slow clients, memory for
 * bodies and responses, and the network by which limits count. Read {@link WebApp} first.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.http;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

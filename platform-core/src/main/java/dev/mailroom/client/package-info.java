/** Clients of requests: their networks and devices, and proxies in front of the apps. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.client;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

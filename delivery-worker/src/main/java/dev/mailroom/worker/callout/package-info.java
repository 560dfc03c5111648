/** Calls to the webhook endpoints of tenants. */
@ApplicationModule(allowedDependencies = "loop")
@NullMarked
package dev.mailroom.worker.callout;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

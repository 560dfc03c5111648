/** Bounces and complaints received by mail, parsed and applied to their deliveries. */
@ApplicationModule(allowedDependencies = "checks")
@NullMarked
package dev.mailroom.worker.feedback;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/**
 * Scheduled jobs, the exporter of shared metrics and the endpoints of the management
 * port.
 */
@ApplicationModule(allowedDependencies = { "dispatch", "transport" })
@NullMarked
package dev.mailroom.worker.upkeep;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

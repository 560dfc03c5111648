/** Scheduled jobs and the exporter of shared metrics. */
@ApplicationModule(allowedDependencies = { "dispatch", "loop", "send", "transport" })
@NullMarked
package dev.mailroom.worker.upkeep;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

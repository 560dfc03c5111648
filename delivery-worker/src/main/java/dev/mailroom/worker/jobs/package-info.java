/**
 * Scheduled jobs, the fan-out of campaigns and the reports of the worker. Read {@code
 * ScheduledJobs} first.
 */
@ApplicationModule(allowedDependencies = { "address", "bimi", "dispatch", "report", "send", "smtp.client", "tracking" })
@NullMarked
package dev.mailroom.worker.jobs;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/**
 * The dispatcher: publishes leases on the Kafka topic while it holds its lock, and the
 * loops of rare work. Read {@code Dispatcher} first.
 */
@ApplicationModule(allowedDependencies = { "smtp.client" })
@NullMarked
package dev.mailroom.worker.dispatch;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

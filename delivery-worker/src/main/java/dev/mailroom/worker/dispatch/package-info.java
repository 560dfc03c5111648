/**
 * Dispatch of due deliveries from the queue to the Kafka topic, limited in number and
 * fair across accounts.
 */
@ApplicationModule(allowedDependencies = { "loop", "transport" })
@NullMarked
package dev.mailroom.worker.dispatch;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

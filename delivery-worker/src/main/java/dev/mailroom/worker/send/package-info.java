/**
 * From the topic through the fence to the transport, and what came of it to the
 * settlement.
 */
@ApplicationModule(allowedDependencies = { "dispatch", "transport", "compose" })
@NullMarked
package dev.mailroom.worker.send;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/**
 * The interface that every way of sending mail implements, the choice between them, and
 * the sandbox.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.worker.transport;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

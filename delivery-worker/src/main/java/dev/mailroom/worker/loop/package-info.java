/**
 * Supervision of the loops that deliver mail: a loop that ended makes the worker not
 * ready and ends the process.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.worker.loop;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/**
 * Checks of the files that the records of BIMI name. Read {@code BimiProbe} first.
 */
@ApplicationModule(allowedDependencies = { "webhook" })
@NullMarked
package dev.mailroom.worker.bimi;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

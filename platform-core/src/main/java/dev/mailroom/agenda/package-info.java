/** Rare work that waits, so that the loops of workers know whether to search again. */
@ApplicationModule(allowedDependencies = { "campaign", "webhook" })
@NullMarked
package dev.mailroom.agenda;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/**
 * Sending domains: their names, their keys, the records they publish, and whether DNS has
 * them.
 */
@ApplicationModule(allowedDependencies = { "event", "seal" })
@NullMarked
package dev.mailroom.domain;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

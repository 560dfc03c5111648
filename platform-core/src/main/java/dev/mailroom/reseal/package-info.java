/** Renewal of stored secrets after the master key was replaced. */
@ApplicationModule(allowedDependencies = { "domain", "seal", "secondfactor", "token", "webhook" })
@NullMarked
package dev.mailroom.reseal;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

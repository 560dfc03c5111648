/**
 * Pauses accounts whose mail is not wanted, before others refuse everybody's.
 */
@ApplicationModule(allowedDependencies = { "campaign", "email", "reputation" })
@NullMarked
package dev.mailroom.conduct;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

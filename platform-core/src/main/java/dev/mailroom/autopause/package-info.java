/**
 * Pauses accounts whose mail is not wanted, before others refuse everybody's.
 */
@ApplicationModule(allowedDependencies = { "account", "campaign", "notice", "reputation" })
@NullMarked
package dev.mailroom.autopause;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

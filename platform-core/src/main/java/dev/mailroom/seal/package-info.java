/**
 * Encryption of stored secrets and authentication of issued values, with the master key.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.seal;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

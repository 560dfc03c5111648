/**
 * Encryption of stored secrets and authentication of issued values with the master key,
 * and the native cryptography library. Read {@code Seal} first.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.secret;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

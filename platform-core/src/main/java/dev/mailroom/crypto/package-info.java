/** The native cryptography library. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.crypto;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/** Addresses that an account's mail is never handed over to. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.suppression;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/** Creation of the accounts that the platform itself needs. */
@ApplicationModule(allowedDependencies = { "account", "domain", "token" })
@NullMarked
package dev.mailroom.bootstrap;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

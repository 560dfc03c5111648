/**
 * Usage of an account, compared with the limits of its plan.
 */
@ApplicationModule(allowedDependencies = { "account", "contact", "domain", "quota" })
@NullMarked
package dev.mailroom.usage;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

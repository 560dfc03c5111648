/** REST endpoint that shows an account's usage. */
@ApplicationModule(allowedDependencies = "http")
@NullMarked
package dev.mailroom.api.quota;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

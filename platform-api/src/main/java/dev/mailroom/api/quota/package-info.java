/** How far the account's plan still reaches. */
@ApplicationModule(allowedDependencies = "http")
@NullMarked
package dev.mailroom.api.quota;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/** Web sign-in and the account of the caller. */
@ApplicationModule(allowedDependencies = { "graphql", "security" })
@NullMarked
package dev.mailroom.admin.account;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

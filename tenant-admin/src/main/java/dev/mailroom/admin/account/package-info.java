/**
 * Accounts of the web app: registration, sign-in, second factor, team and API keys. Read
 * {@code ViewerResolver} first.
 */
@ApplicationModule(allowedDependencies = { "graphql", "security" })
@NullMarked
package dev.mailroom.admin.account;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

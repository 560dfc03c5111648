/**
 * Mail that the platform sends to account owners.
 */
@ApplicationModule(allowedDependencies = { "account", "accept", "domain", "submission" })
@NullMarked
package dev.mailroom.notice;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

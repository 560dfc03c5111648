/**
 * Routes of emails, their events, suppression lists and reputation. Read {@code
 * EmailController} first.
 */
@ApplicationModule(allowedDependencies = { "docs", "http" })
@NullMarked
package dev.mailroom.api.email;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

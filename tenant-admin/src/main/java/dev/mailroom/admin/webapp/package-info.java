/**
 * The web app: its page, its files and the security headers of the admin port. Read
 * {@code PageController} first.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.admin.webapp;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

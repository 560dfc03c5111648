/**
 * Spring Security: authentication of requests, and the credential that each route
 * requires. Read {@code Security} first.
 */
@ApplicationModule(allowedDependencies = { "http" })
@NullMarked
package dev.mailroom.api.security;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

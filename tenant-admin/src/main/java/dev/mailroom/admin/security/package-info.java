/**
 * Authentication of requests and errors outside of GraphQL responses. Read
 * {@code Security} first.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.admin.security;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

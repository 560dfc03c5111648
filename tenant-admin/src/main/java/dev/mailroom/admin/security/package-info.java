/** Authentication of requests and errors outside of GraphQL responses. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.admin.security;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

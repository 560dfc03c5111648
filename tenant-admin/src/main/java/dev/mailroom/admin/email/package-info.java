/** Emails: search, details, sending. */
@ApplicationModule(allowedDependencies = { "graphql", "limit" })
@NullMarked
package dev.mailroom.admin.email;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/** Emails: search, details, sending. */
@ApplicationModule(allowedDependencies = "graphql")
@NullMarked
package dev.mailroom.admin.email;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

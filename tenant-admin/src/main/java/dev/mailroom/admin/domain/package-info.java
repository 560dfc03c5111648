/** Sending domains. Read {@code DomainResolver} first. */
@ApplicationModule(allowedDependencies = { "graphql" })
@NullMarked
package dev.mailroom.admin.domain;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

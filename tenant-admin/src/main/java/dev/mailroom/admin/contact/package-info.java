/** Contact books and contacts. Read {@code ContactResolver} first. */
@ApplicationModule(allowedDependencies = { "graphql", "security" })
@NullMarked
package dev.mailroom.admin.contact;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

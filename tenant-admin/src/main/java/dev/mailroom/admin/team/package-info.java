/** Members of the caller's account, and invitations to join it. */
@ApplicationModule(allowedDependencies = "graphql")
@NullMarked
package dev.mailroom.admin.team;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

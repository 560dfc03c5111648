/** Received mail. Read {@code InboundResolver} first. */
@ApplicationModule(allowedDependencies = { "graphql" })
@NullMarked
package dev.mailroom.admin.inbound;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/** Received mail. Read {@code InboundController} first. */
@ApplicationModule(allowedDependencies = { "http" })
@NullMarked
package dev.mailroom.api.inbound;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

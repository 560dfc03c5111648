/** Mails that come in for an account's domains. */
@ApplicationModule(allowedDependencies = { "blob", "event" })
@NullMarked
package dev.mailroom.inbound;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

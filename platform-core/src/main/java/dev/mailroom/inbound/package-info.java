/** Mails that came in for an account's domains. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.inbound;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

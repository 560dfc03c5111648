/** Limits of failed sign-ins and of account mails, by address, network and account. */
@ApplicationModule(allowedDependencies = { "client", "token" })
@NullMarked
@Core.Tables({ "throttle", "known_client" })
package dev.mailroom.throttle;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/** Teams: the people of an account, changes of their roles, and invitations. */
@ApplicationModule(allowedDependencies = { "account", "audit", "member", "throttle", "token" })
@NullMarked
@Core.Tables(value = "invitation", functions = "invitation_account")
package dev.mailroom.team;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

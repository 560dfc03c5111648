/**
 * Accounts: registration, sign-in with a password or through an outside issuer, password
 * reset, and the mails that their owners must be sent.
 */
@ApplicationModule(allowedDependencies = { "audit", "client", "member", "secondfactor", "throttle", "token" })
@NullMarked
@Core.Tables(value = { "account", "identity", "plan" },
		functions = { "account_by_email", "account_by_identity", "close_second_registrations", "second_registration" })
package dev.mailroom.account;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

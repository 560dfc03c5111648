/**
 * Accounts: registration, sign-in with a password or through an outside issuer, password
 * reset, and the mails that their owners must be sent.
 */
@ApplicationModule(allowedDependencies = { "token" })
@NullMarked
@Core.Tables(value = { "account", "identity", "session", "one_time_token", "plan", "signing_key", "throttle" },
		functions = { "account_by_email", "account_by_identity", "one_time_token_account", "session_by_family",
				"session_stands" })
package dev.mailroom.account;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

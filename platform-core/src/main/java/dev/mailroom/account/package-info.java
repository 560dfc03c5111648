/**
 * Who owns what: accounts, how they come to be and how they sign in.
 */
@ApplicationModule(allowedDependencies = { "seal" })
@NullMarked
@Core.Tables(value = { "account", "identity", "session", "one_time_token", "plan", "signing_key", "throttle" },
		functions = { "account_by_email", "account_by_identity", "one_time_token_account", "session_by_family",
				"session_stands" })
package dev.mailroom.account;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

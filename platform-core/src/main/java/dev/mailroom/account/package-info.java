/**
 * Accounts and their people: registration, sign-in with a password, a second factor or an
 * outside issuer, members and teams, sessions and tokens, API keys, and the caller of a
 * request. Read {@code SignIn} and {@code Authenticator} first.
 */
@ApplicationModule(allowedDependencies = { "audit", "database", "directory", "domain", "secret" })
@NullMarked
@Core.Tables(
		writes = { "account", "identity", "plan", "api_key", "member", "second_factor", "recovery_code",
				"sign_in_challenge", "device_sign_in", "invitation", "throttle", "known_client", "session",
				"one_time_token", "signing_key" },
		functions = { "account_by_email", "account_by_identity", "close_second_registrations", "release_address",
				"replace_account", "second_registration", "api_key_by_prefix", "member_of", "sign_in_challenge_account",
				"invitation_account", "one_time_token_account", "session_by_family", "session_member" })
package dev.mailroom.account;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/**
 * Tokens issued to people: access tokens and the keys that sign them, sessions with their
 * refresh tokens, and the one-time tokens of links in mails.
 */
@ApplicationModule(allowedDependencies = { "audit", "client", "member", "seal" })
@NullMarked
@Core.Tables(value = { "session", "one_time_token", "signing_key" },
		functions = { "one_time_token_account", "session_by_family", "session_member" })
package dev.mailroom.token;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

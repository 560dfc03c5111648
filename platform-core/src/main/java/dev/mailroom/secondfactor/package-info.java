/**
 * Second factors of sign-in: one-time codes of an authenticator app (TOTP, RFC 6238) and
 * recovery codes.
 */
@ApplicationModule(allowedDependencies = { "audit", "seal", "throttle", "token" })
@NullMarked
@Core.Tables(value = { "second_factor", "recovery_code", "sign_in_challenge" }, functions = "sign_in_challenge_account")
package dev.mailroom.secondfactor;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/**
 * The routes that clients of Resend call, as translations of the routes of this API: the
 * same services, limits and permissions behind other names. Read {@code
 * ResendEmailController} first.
 */
@ApplicationModule(allowedDependencies = { "email", "http" })
@NullMarked
package dev.mailroom.api.compat.resend;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

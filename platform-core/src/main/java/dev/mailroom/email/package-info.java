/**
 * Emails after their acceptance: reading, listing, rescheduling and cancelling.
 */
@ApplicationModule(allowedDependencies = { "accept", "event", "quota" })
@NullMarked
@Core.Tables(value = { "email_anchor", "email_count", "email_trouble" }, functions = "email_count_slot")
package dev.mailroom.email;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/**
 * A mail from its draft to its place in the queue, and what its sender sees of it later.
 */
@ApplicationModule(allowedDependencies = { "accept", "event", "quota" })
@NullMarked
@Core.Tables(value = { "email_anchor", "email_count", "email_trouble" }, functions = "email_count_slot")
package dev.mailroom.email;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/**
 * Tracking: signed links with stored targets, opens and clicks, and unsubscribing from a
 * contact book.
 */
@ApplicationModule(allowedDependencies = { "accept", "campaign", "contact", "event", "seal" })
@NullMarked
@Core.Tables("tracked_link")
package dev.mailroom.tracking;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

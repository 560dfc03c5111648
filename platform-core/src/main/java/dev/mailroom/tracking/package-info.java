/**
 * What mails bring back: links that are signed and lead to stored targets, opens and
 * clicks, and the way out of a contact book.
 */
@ApplicationModule(allowedDependencies = { "accept", "contact", "event", "seal" })
@NullMarked
@Core.Tables("tracked_link")
package dev.mailroom.tracking;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/**
 * Signed links with stored targets: opens, clicks, unsubscribing from a contact book, and
 * mails that ask for the confirmation of a subscription (double opt-in). Read {@code
 * Engagements} first.
 */
@ApplicationModule(allowedDependencies = { "brand", "campaign", "contact", "database", "event", "mail.accept",
		"mail.draft", "mail.queue", "secret" })
@NullMarked
@Core.Tables(writes = { "tracked_link" })
package dev.mailroom.tracking;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

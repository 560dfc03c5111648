/**
 * Settlement of deliveries: results of attempts, bounces and complaints, dead letters,
 * suppression lists and the reputation of senders. Read {@code Outcomes} first.
 */
@ApplicationModule(allowedDependencies = { "campaign", "database", "event", "mail.accept", "mail.draft", "mail.queue",
		"secret", "tracking" })
@NullMarked
@Core.Tables(writes = { "delivery_attempt", "dead_letter", "reputation_day", "reputation_cause", "suppression" })
package dev.mailroom.mail.outcome;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

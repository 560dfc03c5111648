/**
 * Settlement of deliveries. {@code Outcomes} writes the results of hand-overs and late
 * reports: read it first. {@code Attempts} and {@code DeadLetters} show what happened,
 * {@code ReturnPath} and {@code MessageIdMatches} find the delivery of a report.
 * {@code Suppressions} and {@code Reputations} are what the results lead to.
 */
@ApplicationModule(allowedDependencies = { "campaign", "database", "event", "mail.accept", "mail.draft", "mail.queue",
		"secret", "site", "source", "tracking" })
@NullMarked
@Core.Tables(writes = { "delivery_attempt", "dead_letter", "provider_day", "reputation_day", "reputation_cause",
		"suppression", "unexplained_refusal" })
package dev.mailroom.mail.outcome;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/**
 * Reputation of senders: counts of deliveries, bounces and complaints by domain and day.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
@Core.Tables({ "reputation_day", "reputation_cause" })
package dev.mailroom.reputation;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

/**
 * Settlement of deliveries: results of attempts, late bounces and complaints, dead
 * letters.
 */
@ApplicationModule(allowedDependencies = { "accept", "campaign", "event", "queue", "reputation", "seal", "suppression",
		"tracking", "wire" })
@NullMarked
@Core.Tables({ "delivery_attempt", "dead_letter" })
package dev.mailroom.outcome;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

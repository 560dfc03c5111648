/** Campaigns: one mail to all subscribed contacts of a contact book. */
@ApplicationModule(
		allowedDependencies = { "accept", "account", "contact", "domain", "event", "submission", "template" })
@NullMarked
@Core.Tables({ "campaign", "campaign_seen" })
package dev.mailroom.campaign;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

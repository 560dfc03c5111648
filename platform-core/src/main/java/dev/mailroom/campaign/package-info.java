/**
 * Campaigns: one mail to all subscribed contacts of a contact book. {@code Campaigns} is
 * what their owner does, {@code CampaignFanOut} makes their mails, {@code
 * CampaignResults} counts what became of them. Read {@code CampaignFanOut} first.
 */
@ApplicationModule(allowedDependencies = { "account", "contact", "database", "domain", "event", "mail.accept",
		"mail.draft", "mail.log", "mail.outcome", "mail.queue", "template" })
@NullMarked
@Core.Tables(
		writes = { "campaign", "campaign_seen", "campaign_recipient", "campaign_audience", "campaign_follow_up",
				"campaign_count", "campaign_minute", "campaign_link", "campaign_link_person", "segment" },
		functions = { "contact_matches", "add_campaign_counts" })
package dev.mailroom.campaign;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;

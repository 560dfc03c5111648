package dev.mailroom.campaign;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A campaign that may be kept, with what the account's domains, books and templates say
 * of it.
 *
 * @param html what it says, or what its template says at present
 */
record ResolvedCampaign(CampaignRules.Fit fit, UUID domainId, String contactBookName, @Nullable String html,
		@Nullable String text) {
}

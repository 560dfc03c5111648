package dev.mailroom.campaign;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A checked campaign with its references resolved within the account.
 *
 * @param html the campaign's own HTML, or its template's at present
 * @param text the campaign's own text, or its template's at present
 */
record ResolvedCampaign(CampaignRules.Checked checked, UUID domainId, String contactBookName, @Nullable String html,
		@Nullable String text) {

	ResolvedCampaign {
		if (html == null && text == null) {
			throw new IllegalArgumentException("A campaign needs HTML or text");
		}
	}

}

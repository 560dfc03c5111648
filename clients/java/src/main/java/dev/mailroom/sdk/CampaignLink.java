package dev.mailroom.sdk;

/**
 * A campaign link.
 */
public record CampaignLink(String url, long clickCount) {

	static CampaignLink of(JsonObject json) {
		return new CampaignLink(json.text("url"), json.integer("click_count"));
	}

}

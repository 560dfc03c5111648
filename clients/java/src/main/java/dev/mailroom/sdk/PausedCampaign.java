package dev.mailroom.sdk;

/**
 * A paused campaign.
 */
public record PausedCampaign(String id, String status) {

	static PausedCampaign of(JsonObject json) {
		return new PausedCampaign(json.text("id"), json.text("status"));
	}

}

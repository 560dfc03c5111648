package dev.mailroom.sdk;

import java.time.Instant;

/**
 * A campaign point.
 *
 * @param at Beginning of the interval, in UTC.
 */
public record CampaignPoint(Instant at, long sentCount, long deliveredCount, long bouncedCount, long complainedCount,
		long failedCount, long openedCount, long clickedCount, long unsubscribedCount, long skippedCount) {

	static CampaignPoint of(JsonObject json) {
		return new CampaignPoint(json.time("at"), json.integer("sent_count"), json.integer("delivered_count"),
				json.integer("bounced_count"), json.integer("complained_count"), json.integer("failed_count"),
				json.integer("opened_count"), json.integer("clicked_count"), json.integer("unsubscribed_count"),
				json.integer("skipped_count"));
	}

}

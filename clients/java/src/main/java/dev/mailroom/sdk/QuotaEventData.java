package dev.mailroom.sdk;

import java.time.Instant;

/**
 * A quota event data.
 */
public record QuotaEventData(String period, long used, long limit, long remaining, Instant resetsAt) {

	static QuotaEventData of(JsonObject json) {
		return new QuotaEventData(json.text("period"), json.integer("used"), json.integer("limit"),
				json.integer("remaining"), json.time("resets_at"));
	}

}

package dev.mailroom.sdk;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * An email scheduled data.
 *
 * @param from Absent, with the fields below, if the mail has been deleted.
 * @param campaignId Only for mail of a campaign.
 */
public record EmailScheduledData(String emailId, @Nullable String from, List<String> to, @Nullable String subject,
		Map<String, @Nullable Object> tags, @Nullable String domainId, @Nullable String campaignId,
		Instant scheduledAt) {

	static EmailScheduledData of(JsonObject json) {
		return new EmailScheduledData(json.text("email_id"), json.textOrNull("from"), json.texts("to"),
				json.textOrNull("subject"), json.map("tags"), json.textOrNull("domain_id"),
				json.textOrNull("campaign_id"), json.time("scheduled_at"));
	}

}

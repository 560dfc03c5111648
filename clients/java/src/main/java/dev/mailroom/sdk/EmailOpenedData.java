package dev.mailroom.sdk;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * An email opened data.
 *
 * @param from Absent, with the fields below, if the mail has been deleted.
 * @param campaignId Only for mail of a campaign.
 * @param bot Whether it was automated. Automated ones are not counted.
 */
public record EmailOpenedData(String emailId, @Nullable String from, List<String> to, @Nullable String subject,
		Map<String, @Nullable Object> tags, @Nullable String domainId, @Nullable String campaignId, String recipient,
		boolean bot, String userAgent) {

	static EmailOpenedData of(JsonObject json) {
		return new EmailOpenedData(json.text("email_id"), json.textOrNull("from"), json.texts("to"),
				json.textOrNull("subject"), json.map("tags"), json.textOrNull("domain_id"),
				json.textOrNull("campaign_id"), json.text("recipient"), json.bool("bot"), json.text("user_agent"));
	}

}

package dev.mailroom.sdk;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * An email forwarded data.
 *
 * @param from Absent, with the fields below, if the mail has been deleted.
 * @param campaignId Only for mail of a campaign.
 * @param recipient The address to which the mail is forwarded.
 * @param receivedId The received mail.
 * @param address The address at which it arrived.
 */
public record EmailForwardedData(String emailId, @Nullable String from, List<String> to, @Nullable String subject,
		Map<String, @Nullable Object> tags, @Nullable String domainId, @Nullable String campaignId, String recipient,
		String receivedId, String address) {

	static EmailForwardedData of(JsonObject json) {
		return new EmailForwardedData(json.text("email_id"), json.textOrNull("from"), json.texts("to"),
				json.textOrNull("subject"), json.map("tags"), json.textOrNull("domain_id"),
				json.textOrNull("campaign_id"), json.text("recipient"), json.text("received_id"), json.text("address"));
	}

}

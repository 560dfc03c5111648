package dev.mailroom.sdk;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * An email failed data.
 *
 * @param from Absent, with the fields below, if the mail has been deleted.
 * @param campaignId Only for mail of a campaign.
 */
public record EmailFailedData(String emailId, @Nullable String from, List<String> to, @Nullable String subject,
		Map<String, @Nullable Object> tags, @Nullable String domainId, @Nullable String campaignId, String recipient,
		Failed failed) {

	static EmailFailedData of(JsonObject json) {
		return new EmailFailedData(json.text("email_id"), json.textOrNull("from"), json.texts("to"),
				json.textOrNull("subject"), json.map("tags"), json.textOrNull("domain_id"),
				json.textOrNull("campaign_id"), json.text("recipient"), Failed.of(json.object("failed")));
	}

	/**
	 * An entry of <code>failed</code>.
	 *
	 * @param reason <code>expired</code>, or a text.
	 * @param diagnostic The last SMTP reply, if it expired.
	 */
	public record Failed(String reason, @Nullable String diagnostic) {

		static Failed of(JsonObject json) {
			return new Failed(json.text("reason"), json.textOrNull("diagnostic"));
		}

	}

}

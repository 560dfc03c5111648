package dev.mailroom.sdk;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * An email complained data.
 *
 * @param from Absent, with the fields below, if the mail has been deleted.
 * @param campaignId Only for mail of a campaign.
 */
public record EmailComplainedData(String emailId, @Nullable String from, List<String> to, @Nullable String subject,
		Map<String, @Nullable Object> tags, @Nullable String domainId, @Nullable String campaignId, String recipient,
		Complaint complaint) {

	static EmailComplainedData of(JsonObject json) {
		return new EmailComplainedData(json.text("email_id"), json.textOrNull("from"), json.texts("to"),
				json.textOrNull("subject"), json.map("tags"), json.textOrNull("domain_id"),
				json.textOrNull("campaign_id"), json.text("recipient"), Complaint.of(json.object("complaint")));
	}

	/**
	 * An entry of <code>complaint</code>.
	 *
	 * @param feedbackType RFC 5965: abuse, for example.
	 */
	public record Complaint(String feedbackType) {

		static Complaint of(JsonObject json) {
			return new Complaint(json.text("feedback_type"));
		}

	}

}

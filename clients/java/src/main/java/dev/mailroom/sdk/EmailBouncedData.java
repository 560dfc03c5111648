package dev.mailroom.sdk;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * An email bounced data.
 *
 * @param from Absent, with the fields below, if the mail has been deleted.
 * @param campaignId Only for mail of a campaign.
 */
public record EmailBouncedData(String emailId, @Nullable String from, List<String> to, @Nullable String subject,
		Map<String, @Nullable Object> tags, @Nullable String domainId, @Nullable String campaignId, String recipient,
		Bounce bounce) {

	static EmailBouncedData of(JsonObject json) {
		return new EmailBouncedData(json.text("email_id"), json.textOrNull("from"), json.texts("to"),
				json.textOrNull("subject"), json.map("tags"), json.textOrNull("domain_id"),
				json.textOrNull("campaign_id"), json.text("recipient"), Bounce.of(json.object("bounce")));
	}

	/**
	 * An entry of <code>bounce</code>.
	 *
	 * @param reason Statement of the reply, see <code>EmailEventData</code>. Further
	 * reasons may be added.
	 * @param code The enhanced status code (RFC 3463), otherwise the three-digit reply
	 * code.
	 * @param diagnostic The SMTP reply.
	 */
	public record Bounce(String type, String reason, String code, String diagnostic) {

		static Bounce of(JsonObject json) {
			return new Bounce(json.text("type"), json.text("reason"), json.text("code"), json.text("diagnostic"));
		}

	}

}

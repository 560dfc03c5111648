package dev.mailroom.sdk;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * An email forward failed data.
 *
 * @param from Absent, with the fields below, if the mail has been deleted.
 * @param campaignId Only for mail of a campaign.
 * @param recipient The address to which the mail is forwarded.
 * @param receivedId The received mail.
 * @param address The address at which it arrived.
 */
public record EmailForwardFailedData(@Nullable String emailId, @Nullable String from, List<String> to,
		@Nullable String subject, Map<String, @Nullable Object> tags, @Nullable String domainId,
		@Nullable String campaignId, String recipient, String receivedId, String address, Failed failed) {

	static EmailForwardFailedData of(JsonObject json) {
		return new EmailForwardFailedData(json.textOrNull("email_id"), json.textOrNull("from"), json.texts("to"),
				json.textOrNull("subject"), json.map("tags"), json.textOrNull("domain_id"),
				json.textOrNull("campaign_id"), json.text("recipient"), json.text("received_id"), json.text("address"),
				Failed.of(json.object("failed")));
	}

	/**
	 * An entry of <code>failed</code>.
	 *
	 * @param reason Of the forwarded mail: <code>bounced</code>, <code>expired</code>,
	 * <code>failed</code> or <code>suppressed</code>. If none was sent, and there is no
	 * <code>email_id</code>: <code>loop</code>, <code>virus</code>, <code>limit</code>
	 * (1000 an hour for a domain), <code>not_confirmed</code> (the owner of the address
	 * has not confirmed) or <code>refused</code> (by the quota, for instance). Further
	 * reasons may be added.
	 * @param diagnostic The SMTP reply or the error; may be empty.
	 */
	public record Failed(String reason, String diagnostic) {

		static Failed of(JsonObject json) {
			return new Failed(json.text("reason"), json.text("diagnostic"));
		}

	}

}

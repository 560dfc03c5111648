package dev.mailroom.sdk;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * An email received data.
 *
 * @param fromName Empty if the sender gave none.
 * @param sourceUrl Link to the source of the mail, valid for an hour after it arrived.
 * Only if a route with the action <code>webhook</code> applies to a recipient.
 */
public record EmailReceivedData(String id, String domainId, String fromEmail, String fromName, List<String> toEmails,
		List<String> ccEmails, String subject, Verdict spamVerdict, Verdict virusVerdict, Verdict spfVerdict,
		Verdict dkimVerdict, Verdict dmarcVerdict, String status, Instant createdAt, @Nullable String sourceUrl) {

	static EmailReceivedData of(JsonObject json) {
		return new EmailReceivedData(json.text("id"), json.text("domain_id"), json.text("from_email"),
				json.text("from_name"), json.texts("to_emails"), json.texts("cc_emails"), json.text("subject"),
				new Verdict(json.text("spam_verdict")), new Verdict(json.text("virus_verdict")),
				new Verdict(json.text("spf_verdict")), new Verdict(json.text("dkim_verdict")),
				new Verdict(json.text("dmarc_verdict")), json.text("status"), json.time("created_at"),
				json.textOrNull("source_url"));
	}

}

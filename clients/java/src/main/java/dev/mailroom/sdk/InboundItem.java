package dev.mailroom.sdk;

import java.time.Instant;
import java.util.List;

/**
 * An inbound item.
 *
 * @param fromName Empty if the sender gave none.
 * @param spamVerdict <code>GRAY</code> if the spam filter would mark or delay the mail,
 * <code>FAIL</code> if it would reject it.
 * @param virusVerdict <code>FAIL</code> if a virus was found.
 * @param spfVerdict SPF result for the envelope sender (RFC 7208): <code>FAIL</code> for
 * <code>fail</code>; <code>GRAY</code> for <code>none</code>, <code>permerror</code>,
 * <code>neutral</code>, <code>softfail</code> and <code>temperror</code>.
 * @param dkimVerdict Result of verifying the DKIM signatures (RFC 6376, RFC 8463):
 * <code>PASS</code> if one is valid, <code>FAIL</code> if all are invalid,
 * <code>GRAY</code> without a signature or if DNS did not answer.
 * @param dmarcVerdict Whether the domain of the From header is aligned with a passed SPF
 * or DKIM check (RFC 7489), whatever action its policy requests. <code>GRAY</code>
 * without a policy.
 */
public record InboundItem(String id, String domainId, String fromEmail, String fromName, List<String> toEmails,
		List<String> ccEmails, String subject, Verdict spamVerdict, Verdict virusVerdict, Verdict spfVerdict,
		Verdict dkimVerdict, Verdict dmarcVerdict, String status, Instant createdAt) {

	static InboundItem of(JsonObject json) {
		return new InboundItem(json.text("id"), json.text("domain_id"), json.text("from_email"), json.text("from_name"),
				json.texts("to_emails"), json.texts("cc_emails"), json.text("subject"),
				new Verdict(json.text("spam_verdict")), new Verdict(json.text("virus_verdict")),
				new Verdict(json.text("spf_verdict")), new Verdict(json.text("dkim_verdict")),
				new Verdict(json.text("dmarc_verdict")), json.text("status"), json.time("created_at"));
	}

}

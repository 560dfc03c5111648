package dev.mailroom.sdk;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * An inbound email.
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
 * @param recipients The envelope recipients in this domain; the headers may name others
 * or none.
 */
public record InboundEmail(String id, String domainId, String fromEmail, String fromName, List<String> toEmails,
		List<String> ccEmails, String subject, Verdict spamVerdict, Verdict virusVerdict, Verdict spfVerdict,
		Verdict dkimVerdict, Verdict dmarcVerdict, String status, Instant createdAt, List<String> recipients,
		@Nullable String html, @Nullable String text, List<Attachment> attachments) {

	static InboundEmail of(JsonObject json) {
		return new InboundEmail(json.text("id"), json.text("domain_id"), json.text("from_email"),
				json.text("from_name"), json.texts("to_emails"), json.texts("cc_emails"), json.text("subject"),
				new Verdict(json.text("spam_verdict")), new Verdict(json.text("virus_verdict")),
				new Verdict(json.text("spf_verdict")), new Verdict(json.text("dkim_verdict")),
				new Verdict(json.text("dmarc_verdict")), json.text("status"), json.time("created_at"),
				json.texts("recipients"), json.textOrNull("html"), json.textOrNull("text"),
				json.list("attachments", Attachment::of));
	}

	/**
	 * An entry of <code>attachments</code>.
	 *
	 * @param position The <code>n</code> of its path.
	 * @param size Size in bytes.
	 */
	public record Attachment(long position, String filename, String contentType, long size) {

		static Attachment of(JsonObject json) {
			return new Attachment(json.integer("position"), json.text("filename"), json.text("content_type"),
					json.integer("size"));
		}

	}

}

package dev.mailroom.inbound;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.event.Event;
import dev.mailroom.event.EventKind;
import org.jspecify.annotations.Nullable;

/**
 * A received mail. Each verdict is PASS, FAIL, GRAY, PROCESSING_FAILED or DISABLED.
 *
 * @param fromName the display name of the sender; empty without one
 */
public record InboundEmail(UUID id, UUID accountId, UUID domainId, String fromEmail, String fromName,
		List<String> toEmails, List<String> ccEmails, String subject, String spamVerdict, String virusVerdict,
		String spfVerdict, String dkimVerdict, String dmarcVerdict, String status,
		Instant createdAt) implements Page.Item {

	/** The event that reports this mail. */
	Event event() {
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("id", this.id);
		data.put("domain_id", this.domainId);
		data.put("from_email", this.fromEmail);
		data.put("from_name", this.fromName);
		data.put("to_emails", this.toEmails);
		data.put("cc_emails", this.ccEmails);
		data.put("subject", this.subject);
		data.put("spam_verdict", this.spamVerdict);
		data.put("virus_verdict", this.virusVerdict);
		data.put("spf_verdict", this.spfVerdict);
		data.put("dkim_verdict", this.dkimVerdict);
		data.put("dmarc_verdict", this.dmarcVerdict);
		data.put("status", this.status);
		data.put("created_at", this.createdAt);
		return new Event(this.accountId, EventKind.EMAIL_RECEIVED, null, data);
	}

	/**
	 * A mail with its content.
	 *
	 * @param recipients the recipients of the envelope
	 */
	public record Whole(InboundEmail email, List<String> recipients, Text text, List<File> files) {
	}

	/** A field of the header, unfolded. */
	public record Header(String name, String value) {
	}

	/** The bodies of a mail; either can be missing. */
	public record Text(@Nullable String html, @Nullable String text) {
	}

	/**
	 * An attachment.
	 *
	 * @param position the number among the attachments, from 0
	 * @param size the size in bytes
	 */
	public record File(int position, String filename, String contentType, long size) {
	}

	/** An attachment with its bytes. */
	public record FileContent(String filename, String contentType, byte[] content) {
	}

}

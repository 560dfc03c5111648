package dev.mailroom.inbound;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A mail that has just come in, as far as it could be read.
 *
 * @param raw as it came in, byte for byte
 * @param fingerprint the same for a mail that is sent again because our answer was lost;
 * null where a mail does not name itself
 */
public record Arrival(Heading heading, InboundEmail.Text text, List<InboundEmail.Content> files, Verdicts verdicts,
		byte[] raw, byte @Nullable [] fingerprint) {

	/** What lists show of it. */
	public record Heading(String fromEmail, String fromName, List<String> toEmails, List<String> ccEmails,
			String subject) {
	}

	/** Each PASS, FAIL, GRAY, PROCESSING_FAILED or DISABLED. */
	public record Verdicts(String spam, String virus, String spf, String dkim, String dmarc) {
	}

}

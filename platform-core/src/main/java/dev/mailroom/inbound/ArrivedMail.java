package dev.mailroom.inbound;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;

import dev.mailroom.secret.Sha256;
import org.jspecify.annotations.Nullable;

/**
 * A mail that was just received, as far as it could be parsed.
 *
 * @param raw the bytes as they were received
 * @param sender the sender of the envelope
 * @param messageId the Message-ID; null without one
 */
public record ArrivedMail(Heading heading, InboundEmail.Text text, List<InboundEmail.FileContent> files,
		Verdicts verdicts, byte[] raw, String sender, @Nullable String messageId) {

	/**
	 * A digest of sender, recipients and bytes, which detects a mail that the client
	 * sends again because the server's reply was lost. Null without a Message-ID, because
	 * two different mails can then have the same bytes.
	 */
	byte @Nullable [] fingerprint(List<String> recipients) {
		if (this.messageId == null) {
			return null;
		}
		MessageDigest digest = Sha256.digest();
		digest.update(
				(this.sender + "\n" + recipients.stream().sorted().toList() + "\n").getBytes(StandardCharsets.UTF_8));
		return digest.digest(this.raw);
	}

	/** The header fields that lists show. */
	public record Heading(String fromEmail, String fromName, List<String> toEmails, List<String> ccEmails,
			String subject) {
	}

	/** Verdicts, each PASS, FAIL, GRAY, PROCESSING_FAILED or DISABLED. */
	public record Verdicts(String spam, String virus, String spf, String dkim, String dmarc) {
	}

}

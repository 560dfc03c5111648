package dev.mailroom.inbound;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A mail that has just come in, as far as it could be read.
 *
 * @param raw as it came in, byte for byte
 * @param sender of the envelope
 * @param messageId under which the mail names itself; null where it does not
 */
public record ReceivedMail(Heading heading, InboundEmail.Text text, List<InboundEmail.Content> files, Verdicts verdicts,
		byte[] raw, String sender, @Nullable String messageId) {

	/**
	 * The same for a mail that is sent again because our answer was lost: from the same
	 * sender, to the same recipients, byte for byte. Null where a mail does not name
	 * itself: two that are alike may be two then.
	 */
	byte @Nullable [] fingerprint(List<String> recipients) {
		if (this.messageId == null) {
			return null;
		}
		try {
			MessageDigest digest = MessageDigest.getInstance("SHA-256");
			digest.update((this.sender + "\n" + recipients.stream().sorted().toList() + "\n")
				.getBytes(StandardCharsets.UTF_8));
			return digest.digest(this.raw);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("This Java platform has no SHA-256", ex);
		}
	}

	/** What lists show of it. */
	public record Heading(String fromEmail, String fromName, List<String> toEmails, List<String> ccEmails,
			String subject) {
	}

	/** Each PASS, FAIL, GRAY, PROCESSING_FAILED or DISABLED. */
	public record Verdicts(String spam, String virus, String spf, String dkim, String dmarc) {
	}

}

package dev.mailroom.worker.compose;

import java.util.Base64;

import dev.mailroom.queue.Attachment;
import jakarta.activation.DataHandler;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeBodyPart;
import jakarta.mail.internet.PreencodedMimeBodyPart;
import jakarta.mail.util.ByteArrayDataSource;

/**
 * An attachment as a MIME part, base64-encoded. A message/rfc822 part must not be encoded
 * (RFC 2046 section 5.2.1); if its content requires it, its type becomes
 * application/octet-stream.
 */
final class FilePart {

	private static final String MESSAGE = "message/";

	private FilePart() {
	}

	static MimeBodyPart of(Attachment file, String disposition) throws MessagingException {
		String type = ParameterText.contentType(file.contentType());
		boolean message = type.regionMatches(true, 0, MESSAGE, 0, MESSAGE.length());
		boolean unencoded = message && is7Bit(file.content());
		// Encoded here under a generic type: the mail library would write a message
		// unencoded, whatever its bytes.
		byte[] content = unencoded ? file.content() : Base64.getMimeEncoder().encode(file.content());
		MimeBodyPart part = new PreencodedMimeBodyPart(unencoded ? "7bit" : "base64");
		part.setDataHandler(new DataHandler(new ByteArrayDataSource(content, ParameterText.UNKNOWN)));
		part.setHeader("Content-Type", (message && !unencoded) ? ParameterText.UNKNOWN : type);
		part.setHeader("Content-Disposition", ParameterText.disposition(disposition, file.filename()));
		return part;
	}

	/** Whether the content is ASCII in lines of permitted length terminated by CRLF. */
	private static boolean is7Bit(byte[] content) {
		int line = 0;
		for (int i = 0; i < content.length; i++) {
			if (content[i] == '\r' && i + 1 < content.length && content[i + 1] == '\n') {
				i++;
				line = 0;
			}
			else if (content[i] <= 0 || content[i] == '\r' || content[i] == '\n'
					|| ++line > HeaderText.MAX_LINE_LENGTH) {
				return false;
			}
		}
		return true;
	}

}

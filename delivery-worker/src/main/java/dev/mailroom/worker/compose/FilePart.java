package dev.mailroom.worker.compose;

import java.util.Base64;

import dev.mailroom.queue.Attachment;
import jakarta.activation.DataHandler;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeBodyPart;
import jakarta.mail.internet.PreencodedMimeBodyPart;
import jakarta.mail.util.ByteArrayDataSource;

/**
 * A file as a part of a mail: encoded, but for a message, which must not be (RFC 2046
 * 5.2.1) and whose readers often show nothing of one that is. A message that cannot
 * travel as it is goes as a file of no type.
 */
final class FilePart {

	private static final String MESSAGE = "message/";

	private FilePart() {
	}

	static MimeBodyPart of(Attachment file, String disposition) throws MessagingException {
		String type = ParameterText.contentType(file.contentType());
		boolean message = type.regionMatches(true, 0, MESSAGE, 0, MESSAGE.length());
		boolean asItIs = message && isWhole(file.content());
		// Encoded here, and its type told only to the reader: the library would write a
		// message as it is, whatever its bytes.
		byte[] content = asItIs ? file.content() : Base64.getMimeEncoder().encode(file.content());
		MimeBodyPart part = new PreencodedMimeBodyPart(asItIs ? "7bit" : "base64");
		part.setDataHandler(new DataHandler(new ByteArrayDataSource(content, ParameterText.UNKNOWN)));
		part.setHeader("Content-Type", (message && !asItIs) ? ParameterText.UNKNOWN : type);
		part.setHeader("Content-Disposition", ParameterText.disposition(disposition, file.filename()));
		return part;
	}

	/** Whether it can travel as it is: ASCII, in lines that are ended by CRLF and fit. */
	private static boolean isWhole(byte[] content) {
		int line = 0;
		for (int i = 0; i < content.length; i++) {
			if (content[i] == '\r' && i + 1 < content.length && content[i + 1] == '\n') {
				i++;
				line = 0;
			}
			else if (content[i] <= 0 || content[i] == '\r' || content[i] == '\n' || ++line > HeaderText.LONGEST_LINE) {
				return false;
			}
		}
		return true;
	}

}

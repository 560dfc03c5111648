package dev.mailroom.worker.compose;

import java.util.Base64;

import dev.mailroom.mail.queue.Attachment;

/**
 * An attachment as a MIME part, base64-encoded. A message/rfc822 part must not be encoded
 * (RFC 2046 section 5.2.1); if its content requires it, its type becomes
 * application/octet-stream.
 *
 * @param type value of Content-Type
 * @param encoding value of Content-Transfer-Encoding
 * @param content encoded content
 */
record FilePart(String type, String encoding, String filename, byte[] content) {

	private static final String MESSAGE = "message/";

	static FilePart of(Attachment file) {
		String type = ParameterText.contentType(file.contentType());
		boolean message = type.regionMatches(true, 0, MESSAGE, 0, MESSAGE.length());
		if (message && is7Bit(file.content())) {
			return new FilePart(type, "7bit", file.filename(), file.content());
		}
		return new FilePart(message ? ParameterText.UNKNOWN : type, "base64", file.filename(),
				Base64.getMimeEncoder().encode(file.content()));
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

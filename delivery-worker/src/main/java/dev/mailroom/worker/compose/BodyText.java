package dev.mailroom.worker.compose;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/**
 * Text of a body in UTF-8, in lines terminated by CRLF, and its transfer encoding (RFC
 * 2045 section 6): 7bit if it is ASCII in lines of permitted length, else
 * quoted-printable if most of it is ASCII, else base64.
 */
final class BodyText {

	/** Maximum length of a quoted-printable line without CRLF (RFC 2045 section 6.7). */
	private static final int MAX_QUOTED_LINE_LENGTH = 76;

	/** Width of an octet that is written as an equals sign and two digits. */
	private static final int ENCODED_WIDTH = 3;

	private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);

	private final byte[] bytes;

	private final int length;

	private int lines;

	private int longestLine;

	private int encodedOctets;

	private BodyText(byte[] bytes, int length) {
		this.bytes = bytes;
		this.length = length;
	}

	/** The text with each CR, LF or CRLF as CRLF. */
	static BodyText of(String text) {
		byte[] source = text.getBytes(StandardCharsets.UTF_8);
		byte[] target = new byte[source.length + singleLineEnds(source)];
		int length = 0;
		for (int i = 0; i < source.length; i++) {
			if (source[i] == '\r' || source[i] == '\n') {
				target[length++] = '\r';
				target[length++] = '\n';
				i += isLineEnd(source, i, source.length) ? 1 : 0;
			}
			else {
				target[length++] = source[i];
			}
		}
		BodyText body = new BodyText(target, length);
		body.measure();
		return body;
	}

	private static int singleLineEnds(byte[] source) {
		int count = 0;
		for (int i = 0; i < source.length; i++) {
			if (isLineEnd(source, i, source.length)) {
				i++;
			}
			else if (source[i] == '\r' || source[i] == '\n') {
				count++;
			}
		}
		return count;
	}

	private static boolean isLineEnd(byte[] bytes, int at, int length) {
		return bytes[at] == '\r' && at + 1 < length && bytes[at + 1] == '\n';
	}

	private void measure() {
		int line = 0;
		for (int i = 0; i < this.length; i++) {
			byte octet = this.bytes[i];
			if (octet == '\n') {
				this.lines++;
				line = 0;
			}
			else if (octet != '\r') {
				this.longestLine = Math.max(this.longestLine, ++line);
				this.encodedOctets += ((octet >= ' ' && octet < 0x7f) || octet == '\t') ? 0 : 1;
			}
		}
	}

	/** Number of line ends. */
	int lines() {
		return this.lines;
	}

	/** The transfer encoding as in Content-Transfer-Encoding. */
	String encoding() {
		if (this.encodedOctets == 0 && this.longestLine <= HeaderText.MAX_LINE_LENGTH) {
			return "7bit";
		}
		return (this.encodedOctets < this.length - this.encodedOctets) ? "quoted-printable" : "base64";
	}

	/** Writes the encoded text. */
	void writeTo(ByteArrayOutputStream out) {
		switch (encoding()) {
			case "7bit" -> out.write(this.bytes, 0, this.length);
			case "base64" -> out.writeBytes(Base64.getMimeEncoder().encode(Arrays.copyOf(this.bytes, this.length)));
			default -> writeQuotedPrintable(out);
		}
	}

	private void writeQuotedPrintable(ByteArrayOutputStream out) {
		byte[] line = new byte[MAX_QUOTED_LINE_LENGTH + 2];
		int column = 0;
		for (int i = 0; i < this.length; i++) {
			if (isLineEnd(this.bytes, i, this.length)) {
				endLine(out, line, column);
				i++;
				column = 0;
				continue;
			}
			boolean last = i + 1 == this.length || isLineEnd(this.bytes, i + 1, this.length);
			int width = isLiteral(this.bytes[i], last) ? 1 : ENCODED_WIDTH;
			// A place is left for the equals sign of a soft line break.
			if (column + width > MAX_QUOTED_LINE_LENGTH - (last ? 0 : 1)) {
				line[column++] = '=';
				endLine(out, line, column);
				column = 0;
			}
			encode(this.bytes[i], width, line, column);
			column += width;
		}
		out.write(line, 0, column);
	}

	private static void endLine(ByteArrayOutputStream out, byte[] line, int length) {
		line[length] = '\r';
		line[length + 1] = '\n';
		out.write(line, 0, length + 2);
	}

	/** White space is encoded at the end of a line, because servers may remove it. */
	private static boolean isLiteral(byte octet, boolean last) {
		return (octet == ' ' || octet == '\t') ? !last : octet > ' ' && octet < 0x7f && octet != '=';
	}

	private static void encode(byte octet, int width, byte[] line, int at) {
		if (width == 1) {
			line[at] = octet;
			return;
		}
		line[at] = '=';
		line[at + 1] = HEX[(octet >> 4) & 0xf];
		line[at + 2] = HEX[octet & 0xf];
	}

}

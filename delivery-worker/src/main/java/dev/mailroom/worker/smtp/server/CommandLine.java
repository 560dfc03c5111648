package dev.mailroom.worker.smtp.server;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

import io.netty.buffer.ByteBuf;

/** Buffer for a command line, which is terminated only by CRLF. */
final class CommandLine {

	/** Limit of RFC 5321 section 4.5.3.1.4, including CRLF. */
	private static final int MAX_LENGTH = 512;

	/** Limit for MAIL, RCPT and AUTH with the parameters of extensions. */
	private static final int MAX_EXTENDED_LENGTH = 4096;

	private byte[] bytes = new byte[MAX_LENGTH];

	private int length;

	/** Reads up to the end of the line and returns whether it was reached. */
	boolean read(ByteBuf in) {
		while (in.isReadable() && this.length < MAX_EXTENDED_LENGTH) {
			if (this.length == this.bytes.length) {
				this.bytes = Arrays.copyOf(this.bytes, MAX_EXTENDED_LENGTH);
			}
			byte next = in.readByte();
			this.bytes[this.length++] = next;
			if (next == '\n' && this.length > 1 && this.bytes[this.length - 2] == '\r') {
				return true;
			}
		}
		return false;
	}

	/** Whether the buffer is full: no line may be this long. */
	boolean isFull() {
		return this.length == MAX_EXTENDED_LENGTH;
	}

	/** Whether the line exceeds the limit of commands without extensions. */
	boolean isLong() {
		return this.length > MAX_LENGTH;
	}

	/** Returns the line without CRLF and clears the buffer. */
	String take() {
		String text = new String(this.bytes, 0, this.length - 2, StandardCharsets.UTF_8);
		this.length = 0;
		if (this.bytes.length > MAX_LENGTH) {
			this.bytes = new byte[MAX_LENGTH];
		}
		return text;
	}

	/** First word of a line, in upper case. */
	static String verb(String line) {
		return line.strip().split(" ", 2)[0].toUpperCase(Locale.ROOT);
	}

	/** Rest of a line after the first word. */
	static String arguments(String line) {
		String[] words = line.strip().split(" ", 2);
		return (words.length > 1) ? words[1].strip() : "";
	}

}

package dev.mailroom.worker.smtpd;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

import io.netty.buffer.ByteBuf;

/** A command as it comes in: it ends with CR LF, and with nothing else. */
final class CommandLine {

	/** RFC 5321 4.5.3.1.4, with the end of the line. */
	private static final int LONGEST = 512;

	/** For those that extensions have made longer: MAIL, RCPT and what signs in. */
	private static final int LONGEST_EXTENDED = 4096;

	private byte[] bytes = new byte[LONGEST];

	private int length;

	/** Takes what has come up to the end of the line, and says whether that was there. */
	boolean endsIn(ByteBuf in) {
		while (in.isReadable() && this.length < LONGEST_EXTENDED) {
			if (this.length == this.bytes.length) {
				this.bytes = Arrays.copyOf(this.bytes, LONGEST_EXTENDED);
			}
			byte next = in.readByte();
			this.bytes[this.length++] = next;
			if (next == '\n' && this.length > 1 && this.bytes[this.length - 2] == '\r') {
				return true;
			}
		}
		return false;
	}

	/** Whether it goes on for longer than any line may. */
	boolean isEndless() {
		return this.length == LONGEST_EXTENDED;
	}

	/** Whether it is longer than a command without extensions may be. */
	boolean isLong() {
		return this.length > LONGEST;
	}

	/** The line without its end; the next one begins. */
	String take() {
		String text = new String(this.bytes, 0, this.length - 2, StandardCharsets.UTF_8);
		this.length = 0;
		if (this.bytes.length > LONGEST) {
			this.bytes = new byte[LONGEST];
		}
		return text;
	}

	static String verb(String line) {
		return line.strip().split(" ", 2)[0].toUpperCase(Locale.ROOT);
	}

	static String rest(String line) {
		String[] words = line.strip().split(" ", 2);
		return (words.length > 1) ? words[1].strip() : "";
	}

}

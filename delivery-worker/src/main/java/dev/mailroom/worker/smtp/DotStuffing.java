package dev.mailroom.worker.smtp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/** Transparency of DATA: a line that begins with a dot gets another (RFC 5321 4.5.2). */
final class DotStuffing {

	private DotStuffing() {
	}

	/**
	 * Stuffs a message.
	 * @param message complete lines, each terminated by CRLF
	 */
	static ByteBuf stuff(ByteBufAllocator allocator, byte[] message) {
		ByteBuf stuffed = allocator.buffer(message.length + 16);
		int from = 0;
		for (int i = 0; i < message.length; i++) {
			if (message[i] == '.' && (i == 0 || message[i - 1] == '\n')) {
				stuffed.writeBytes(message, from, i - from).writeByte('.');
				from = i;
			}
		}
		stuffed.writeBytes(message, from, message.length - from);
		if (message.length < 2 || message[message.length - 1] != '\n') {
			stuffed.writeByte('\r').writeByte('\n');
		}
		return stuffed;
	}

}

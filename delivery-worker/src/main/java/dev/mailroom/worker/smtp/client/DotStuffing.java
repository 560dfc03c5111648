package dev.mailroom.worker.smtp.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** Transparency of DATA: a line that begins with a dot gets another (RFC 5321 4.5.2). */
final class DotStuffing {

	private DotStuffing() {
	}

	/**
	 * Stuffs a message. A message that needs no change is not copied.
	 * @param message complete lines, each terminated by CRLF
	 */
	static ByteBuf stuff(byte[] message) {
		int dots = 0;
		for (int i = 0; i < message.length; i++) {
			dots += isFirstDot(message, i) ? 1 : 0;
		}
		boolean open = message.length < 2 || message[message.length - 1] != '\n';
		if (dots == 0 && !open) {
			return Unpooled.wrappedBuffer(message);
		}
		byte[] stuffed = new byte[message.length + dots + (open ? 2 : 0)];
		int length = 0;
		for (int i = 0; i < message.length; i++) {
			if (isFirstDot(message, i)) {
				stuffed[length++] = '.';
			}
			stuffed[length++] = message[i];
		}
		if (open) {
			stuffed[length++] = '\r';
			stuffed[length] = '\n';
		}
		return Unpooled.wrappedBuffer(stuffed);
	}

	private static boolean isFirstDot(byte[] message, int at) {
		return message[at] == '.' && (at == 0 || message[at - 1] == '\n');
	}

}

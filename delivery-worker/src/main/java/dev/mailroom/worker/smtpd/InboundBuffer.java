package dev.mailroom.worker.smtpd;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** What a client has sent and nobody has read yet. */
final class InboundBuffer {

	private ByteBuf bytes = Unpooled.EMPTY_BUFFER;

	/** Takes what has come, and lets go of it once it is read or forgotten. */
	void add(ByteBuf more) {
		if (this.bytes.isReadable()) {
			this.bytes = Unpooled.wrappedBuffer(this.bytes, more);
		}
		else {
			this.bytes.release();
			this.bytes = more;
		}
	}

	boolean isEmpty() {
		return !this.bytes.isReadable();
	}

	/** To be read from where the last reader stopped. */
	ByteBuf bytes() {
		return this.bytes;
	}

	void forget() {
		this.bytes.release();
		this.bytes = Unpooled.EMPTY_BUFFER;
	}

}

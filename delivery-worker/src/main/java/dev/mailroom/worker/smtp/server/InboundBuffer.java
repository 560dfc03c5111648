package dev.mailroom.worker.smtp.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** Bytes that were received from a client and not yet read. */
final class InboundBuffer {

	private ByteBuf bytes = Unpooled.EMPTY_BUFFER;

	/** Appends bytes and takes over their release. */
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

	/** The buffer, with its read position after the bytes read so far. */
	ByteBuf bytes() {
		return this.bytes;
	}

	/** Releases all bytes. */
	void clear() {
		this.bytes.release();
		this.bytes = Unpooled.EMPTY_BUFFER;
	}

}

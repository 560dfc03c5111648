package dev.mailroom.worker.smtp.server;

import java.util.Arrays;

import io.netty.buffer.ByteBuf;
import io.netty.util.ByteProcessor;

/**
 * Reads a message after DATA up to the final dot and removes the dot stuffing. Only CRLF
 * terminates a line; a bare CR or LF is detected, because servers that differ in this
 * allow SMTP smuggling.
 */
final class DataReader {

	private static final int INITIAL_SIZE = 16 * 1024;

	private final int maxBytes;

	private final ConnectionLimits limits;

	private final String owner;

	private byte[] bytes = new byte[0];

	private int length;

	private long reserved;

	private State state = State.LINE_START;

	private boolean bareLineEnd;

	private boolean tooLarge;

	private boolean outOfMemory;

	/**
	 * Creates a reader.
	 * @param maxBytes maximum size; further bytes are read and discarded
	 * @param limits limits from which the memory is reserved
	 * @param owner owner of the reserved memory
	 */
	DataReader(int maxBytes, ConnectionLimits limits, String owner) {
		this.maxBytes = maxBytes;
		this.limits = limits;
		this.owner = owner;
	}

	/** Reads up to the end of the message and returns whether it was reached. */
	boolean read(ByteBuf in) {
		while (in.isReadable()) {
			if (this.state == State.INSIDE) {
				readLine(in);
			}
			if (in.isReadable() && isEnd(in.readByte())) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Copies bytes up to the next CR or LF at once, which is faster than single bytes.
	 */
	private void readLine(ByteBuf in) {
		int end = in.forEachByte(ByteProcessor.FIND_CRLF);
		int remaining = ((end < 0) ? in.writerIndex() : end) - in.readerIndex();
		while (remaining > 0 && hasSpace()) {
			int count = Math.min(remaining, this.bytes.length - this.length);
			in.readBytes(this.bytes, this.length, count);
			this.length += count;
			remaining -= count;
		}
		in.skipBytes(remaining);
	}

	private boolean isEnd(byte next) {
		switch (this.state) {
			case LINE_START -> {
				if (next == '.') {
					this.state = State.DOT;
				}
				else {
					insideLine(next);
				}
			}
			case DOT -> {
				if (next == '\r') {
					this.state = State.DOT_CR;
				}
				else {
					insideLine(next);
				}
			}
			case DOT_CR -> {
				if (next == '\n') {
					return true;
				}
				this.bareLineEnd = true;
				insideLine(next);
			}
			case INSIDE -> insideLine(next);
			case CR -> afterCr(next);
		}
		return false;
	}

	private void insideLine(byte next) {
		append(next);
		this.bareLineEnd |= next == '\n';
		this.state = (next == '\r') ? State.CR : State.INSIDE;
	}

	private void afterCr(byte next) {
		if (next == '\n') {
			append(next);
			this.state = State.LINE_START;
		}
		else {
			this.bareLineEnd = true;
			insideLine(next);
		}
	}

	private void append(byte next) {
		if (hasSpace()) {
			this.bytes[this.length++] = next;
		}
	}

	/** Whether another byte can be stored; enlarges the buffer if necessary. */
	private boolean hasSpace() {
		this.tooLarge |= this.length == this.maxBytes;
		return !this.tooLarge && !this.outOfMemory && (this.length < this.bytes.length || enlarge());
	}

	private boolean enlarge() {
		int larger = (int) Math.min(this.maxBytes, Math.max(INITIAL_SIZE, 2L * this.bytes.length));
		this.outOfMemory = !this.limits.reserve(this.owner, larger - this.bytes.length);
		if (!this.outOfMemory) {
			this.reserved = larger;
			this.bytes = Arrays.copyOf(this.bytes, larger);
		}
		return !this.outOfMemory;
	}

	boolean hasBareLineEnd() {
		return this.bareLineEnd;
	}

	boolean isTooLarge() {
		return this.tooLarge;
	}

	/** Whether the limit on memory did not permit storing the message. */
	boolean isOutOfMemory() {
		return this.outOfMemory;
	}

	/** Returns the message; its memory stays reserved until {@link #discard()}. */
	byte[] bytes() {
		byte[] message = (this.length == this.bytes.length) ? this.bytes : Arrays.copyOf(this.bytes, this.length);
		this.bytes = new byte[0];
		this.limits.release(this.owner, this.reserved - this.length);
		this.reserved = this.length;
		return message;
	}

	/** Releases the message and its memory. */
	void discard() {
		this.limits.release(this.owner, this.reserved);
		this.reserved = 0;
		this.bytes = new byte[0];
		this.length = 0;
		this.outOfMemory = true;
	}

	private enum State {

		LINE_START, DOT, DOT_CR, INSIDE, CR

	}

}

package dev.mailroom.worker.smtpd;

import java.util.Arrays;

import io.netty.buffer.ByteBuf;
import io.netty.util.ByteProcessor;

/**
 * Reads what follows DATA, byte for byte, up to the line with one dot. Only CR LF ends a
 * line: servers that disagree on that can be made to see a mail inside a mail.
 */
final class DataReader {

	private static final int FIRST = 16 * 1024;

	private final int most;

	private final ConnectionLimits room;

	private final String owner;

	private byte[] bytes = new byte[0];

	private int length;

	private long taken;

	private State state = State.LINE_START;

	private boolean bareLineEnd;

	private boolean tooLarge;

	private boolean noRoom;

	/**
	 * Starts to read.
	 * @param most the bytes a mail may have; further ones are read and forgotten
	 * @param room where there must be some for them
	 * @param owner whose bytes they are
	 */
	DataReader(int most, ConnectionLimits room, String owner) {
		this.most = most;
		this.room = room;
		this.owner = owner;
	}

	/** Takes what has come, and says whether the end was in it. */
	boolean endsIn(ByteBuf in) {
		while (in.isReadable()) {
			if (this.state == State.INSIDE) {
				keepLine(in);
			}
			if (in.isReadable() && endsWith(in.readByte())) {
				return true;
			}
		}
		return false;
	}

	/**
	 * All up to what may end the line: byte for byte it would take several times as long.
	 */
	private void keepLine(ByteBuf in) {
		int end = in.forEachByte(ByteProcessor.FIND_CRLF);
		int left = ((end < 0) ? in.writerIndex() : end) - in.readerIndex();
		while (left > 0 && hasSpace()) {
			int now = Math.min(left, this.bytes.length - this.length);
			in.readBytes(this.bytes, this.length, now);
			this.length += now;
			left -= now;
		}
		in.skipBytes(left);
	}

	private boolean endsWith(byte next) {
		switch (this.state) {
			case LINE_START -> {
				if (next == '.') {
					this.state = State.DOT;
				}
				else {
					inside(next);
				}
			}
			case DOT -> {
				if (next == '\r') {
					this.state = State.DOT_CR;
				}
				else {
					inside(next);
				}
			}
			case DOT_CR -> {
				if (next == '\n') {
					return true;
				}
				this.bareLineEnd = true;
				inside(next);
			}
			case INSIDE -> inside(next);
			case CR -> afterCr(next);
		}
		return false;
	}

	private void inside(byte next) {
		keep(next);
		this.bareLineEnd |= next == '\n';
		this.state = (next == '\r') ? State.CR : State.INSIDE;
	}

	private void afterCr(byte next) {
		if (next == '\n') {
			keep(next);
			this.state = State.LINE_START;
		}
		else {
			this.bareLineEnd = true;
			inside(next);
		}
	}

	private void keep(byte next) {
		if (hasSpace()) {
			this.bytes[this.length++] = next;
		}
	}

	/** Whether another byte is kept; made where there is none yet. */
	private boolean hasSpace() {
		this.tooLarge |= this.length == this.most;
		return !this.tooLarge && !this.noRoom && (this.length < this.bytes.length || grows());
	}

	private boolean grows() {
		int larger = (int) Math.min(this.most, Math.max(FIRST, 2L * this.bytes.length));
		this.noRoom = !this.room.take(this.owner, larger - this.bytes.length);
		if (!this.noRoom) {
			this.taken = larger;
			this.bytes = Arrays.copyOf(this.bytes, larger);
		}
		return !this.noRoom;
	}

	boolean hasBareLineEnd() {
		return this.bareLineEnd;
	}

	boolean isTooLarge() {
		return this.tooLarge;
	}

	/** Whether others had brought so much that this could not be kept. */
	boolean foundNoRoom() {
		return this.noRoom;
	}

	/** Hands over what was read; its room stays taken until it is forgotten. */
	byte[] bytes() {
		byte[] read = (this.length == this.bytes.length) ? this.bytes : Arrays.copyOf(this.bytes, this.length);
		this.bytes = new byte[0];
		this.room.give(this.owner, this.taken - this.length);
		this.taken = this.length;
		return read;
	}

	/** Gives the room back that it took. */
	void forget() {
		this.room.give(this.owner, this.taken);
		this.taken = 0;
		this.bytes = new byte[0];
		this.length = 0;
		this.noRoom = true;
	}

	private enum State {

		LINE_START, DOT, DOT_CR, INSIDE, CR

	}

}

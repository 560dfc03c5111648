package dev.mailroom.standalone.mailbox;

import java.io.ByteArrayOutputStream;

/**
 * Reads what follows DATA, byte for byte, up to the line with one dot. Only CR LF ends a
 * line: servers that disagree on that can be made to see a mail inside a mail.
 */
final class SmtpContent {

	private final ByteArrayOutputStream content = new ByteArrayOutputStream();

	private final int most;

	private State state = State.LINE_START;

	private boolean bareLineEnd;

	private boolean tooLarge;

	/**
	 * Starts to read.
	 * @param most the bytes a mail may have; further ones are read and forgotten
	 */
	SmtpContent(int most) {
		this.most = most;
	}

	/** Takes the next byte and says whether it was the last one. */
	boolean endsWith(byte next) {
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
		if (this.content.size() < this.most) {
			this.content.write(next);
		}
		else {
			this.tooLarge = true;
		}
	}

	boolean hasBareLineEnd() {
		return this.bareLineEnd;
	}

	boolean isTooLarge() {
		return this.tooLarge;
	}

	byte[] bytes() {
		return this.content.toByteArray();
	}

	private enum State {

		LINE_START, DOT, DOT_CR, INSIDE, CR

	}

}

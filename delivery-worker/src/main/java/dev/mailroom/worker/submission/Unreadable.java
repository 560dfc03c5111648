package dev.mailroom.worker.submission;

import java.io.Serial;

/** What came behind DATA is no mail that could be sent on. */
final class Unreadable extends Exception {

	@Serial
	private static final long serialVersionUID = 1L;

	Unreadable(String sentence) {
		super(sentence);
	}

	Unreadable(String sentence, Throwable cause) {
		super(sentence, cause);
	}

}

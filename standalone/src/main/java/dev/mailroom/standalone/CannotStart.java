package dev.mailroom.standalone;

/** Why nothing was started: one sentence for the person at the terminal. */
final class CannotStart extends RuntimeException {

	private static final long serialVersionUID = 1L;

	CannotStart(String sentence) {
		super(sentence);
	}

	CannotStart(String sentence, Throwable cause) {
		super(sentence, cause);
	}

}

package dev.mailroom.standalone;

/** Why nothing was started: one sentence for the person at the terminal. */
final class StartFailure extends RuntimeException {

	private static final long serialVersionUID = 1L;

	StartFailure(String sentence) {
		super(sentence);
	}

	StartFailure(String sentence, Throwable cause) {
		super(sentence, cause);
	}

}

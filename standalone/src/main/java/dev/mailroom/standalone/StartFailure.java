package dev.mailroom.standalone;

/**
 * A failure to start that the user can correct; its message is printed on the terminal.
 */
final class StartFailure extends RuntimeException {

	private static final long serialVersionUID = 1L;

	StartFailure(String message) {
		super(message);
	}

	StartFailure(String message, Throwable cause) {
		super(message, cause);
	}

}

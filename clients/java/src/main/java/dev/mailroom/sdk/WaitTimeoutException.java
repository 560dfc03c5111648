package dev.mailroom.sdk;

/** A state was not reached in time. */
public final class WaitTimeoutException extends RuntimeException {

	private static final long serialVersionUID = 1;

	WaitTimeoutException(String message) {
		super(message);
	}

}

package dev.mailroom.worker.compose;

import java.io.Serial;

/** The mail cannot be composed; another attempt would fail in the same way. */
public final class Unrenderable extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	Unrenderable(String reason, Throwable cause) {
		super(reason, cause);
	}

	Unrenderable(String reason) {
		super(reason);
	}

}

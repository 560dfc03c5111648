package dev.mailroom.worker.compose;

import java.io.Serial;

/**
 * A mail that cannot be put into words that mail may carry: tried again, it would fail
 * again.
 */
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
